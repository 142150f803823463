import { readFileSync } from 'node:fs';
import { plainWords, type Translate } from '../../src/core/base/translate';

const bundle: Readonly<Record<string, string>> = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8'));

/** What a person with a German editor reads; a text that has no German is marked, so that a test sees it. */
export const inGerman: Translate = (text, ...values) => plainWords(bundle[text] ?? `UNTRANSLATED ${text}`, ...values);
