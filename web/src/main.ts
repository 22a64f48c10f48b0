import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { useLanguage } from './lib/i18n/language.ts';
import { followLayout } from './lib/layout.ts';
import { settings } from './lib/settings.svelte.ts';

settings.apply();
followLayout();
matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => settings.apply());
// The words come first: a page that changes its language under the reader's eyes is worse than one a moment later.
void useLanguage().finally(() => mount(App, { target: document.getElementById('app')! }));
// Browsers have it over https and from their own machine; elsewhere the page is one that needs its server to start.
if (import.meta.env.MODE === 'production' && 'serviceWorker' in navigator)
  addEventListener('load', () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined));
