import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './web/svelte.config.js';

export default defineConfig(
  // Rust writes what is generated, and its tests compare it.
  globalIgnores([
    '**/dist',
    '**/dist-*',
    '**/target',
    '**/target-*',
    'clients/typescript/src/generated',
    'games/*/web/types.ts',
    'web/src/lib/ruleset/types.ts',
  ]),
  // No comment turns a rule off: an exception stands here, where everyone sees it.
  { linterOptions: { noInlineConfig: true } },
  js.configs.recommended,
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
  {
    files: ['**/*.ts', '**/*.svelte'],
    extends: [ts.configs.recommendedTypeChecked],
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname, extraFileExtensions: ['.svelte'] },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // What comes in by `$props` may be reassigned.
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
      // Lists without a key are places on the page: a thing that takes another place is drawn anew.
      'svelte/require-each-key': 'off',
      // A map that no page watches is a plain one.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    rules: {
      // An outline of SVG cannot be broken.
      'max-len': ['error', { code: 120, ignorePattern: '[\'"`]M-?\\d' }],
    },
  },
  { files: ['web/src/lib/i18n/*.ts', 'games/*/web/{words.*,tour,help}.ts'], rules: { 'max-len': 'off' } },
);
