// Which version of a published ruleset is meant, and who published it.

import type { CatalogGame } from '@parlor/client';
import { t } from './i18n/index.svelte.ts';

export type Publication = NonNullable<CatalogGame['published']>;

/** "by Ann · version 2"; of a ruleset of the house the version alone. */
export function publicationText({ version, author }: Publication): string {
  const by = author ? t('ruleset.by', { who: author.name ?? t('ruleset.nobody') }) : '';
  return [by, t('ruleset.version', { n: version ?? 0 })].filter(Boolean).join(' · ');
}
