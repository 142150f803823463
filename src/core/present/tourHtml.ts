import type { TourEvent } from '../agent/tour';
import { wholeNumber } from './words';
import type { TourStep } from '../agent/tourSteps';
import type { Translate } from '../base/translate';
import { isRefusal } from '../vocabulary/errors';
import { codeInHtml, plainHtml as plain, webviewHtml } from './htmlText';

/** One call of the record, in words. */
interface TourRecordRow {
  readonly tool: string;
  readonly what: string;
  readonly said: string;
}

/** What the page of the tour shows. */
export interface TourPage {
  readonly steps: readonly TourStep[];
  /** What happened in the steps that were played, in their order. */
  readonly played: readonly (readonly TourEvent[])[];
  /** True while a step is being played. */
  readonly isPlaying: boolean;
  /** The folder of the tour's project. */
  readonly folder: string;
  /** Once all was played. */
  readonly record?: {
    readonly rows: readonly TourRecordRow[];
    /** How many records the chain holds. */
    readonly count: number;
    readonly isWhole: boolean;
  };
}

interface TourHtmlOptions {
  /** BCP 47 tag of the words that `t` answers. */
  readonly language: string;
  readonly nonce: string;
  readonly t: Translate;
  /** The address that runs a command of the tour's page. */
  readonly address: (what: TourButton) => string;
}

/** What a button of the page does. */
export type TourButton = 'next' | 'all' | 'again' | 'withoutModel';

/** The most lines of an answer that the page shows. */
const mostLines = 16;

/** Shows what stands in backticks as code. */
const prose = (text: string): string => codeInHtml(plain(text));

/** The page of the tour: the step that was played last, or the record at the end. It holds no script. */
export function tourHtml(page: TourPage, { language, nonce, t, address }: TourHtmlOptions): string {
  const { steps, played, isPlaying, record } = page;
  const next = steps[played.length];
  const button = (what: TourButton, label: string, isFirst = false): string =>
    `<a class="button${isFirst ? ' first' : ''}" role="button" href="${plain(address(what))}"${isFirst ? ' autofocus' : ''}>${plain(label)}</a>`;
  const buttons = isPlaying
    ? `<p role="status">${prose(t('The script is at work. Where it needs your yes, a question is open.'))}</p>`
    : `<p class="buttons">${
        record
          ? button('again', t('Start Over'), true) + button('withoutModel', t('What Works Without a Model'))
          : button('next', t('Play: {0}', next?.title ?? t('The record')), true) +
            (next ? button('all', t('Play to the End')) : '') +
            (played.length > 0 ? button('again', t('Start Over')) : '')
      }</p>`;
  const at = played.length - 1;
  const list = steps.map(
    (step, index) =>
      `<li${index === at && !record ? ' aria-current="step"' : ''}>${index < played.length ? '✓ ' : ''}${plain(step.title)}</li>`,
  );
  list.push(`<li${record ? ' aria-current="step"' : ''}>${record ? '✓ ' : ''}${plain(t('The record'))}</li>`);
  const current = steps[at];
  const title = t('Tour of Agent Capabilities');
  const main = `<h1>${plain(title)}</h1>
<p>${prose(t('No language model takes part: a script plays the agent. The gate, its rules, the files, the page, the question and the record are real, in a folder of their own that goes with this page: `{0}`', page.folder))}</p>
<nav aria-label="${plain(t('Steps'))}"><ol>${list.join('')}</ol></nav>
${buttons}
${record ? recordPart(record, t) : current ? stepPart(current, played[at] ?? [], t) : ''}`;
  return webviewHtml({ title, language, nonce, style, main });
}

function stepPart(step: TourStep, events: readonly TourEvent[], t: Translate): string {
  const said = (who: string, text: string): string => `<p><strong>${plain(who)}</strong> ${prose(text)}</p>`;
  const parts = events.map((event) => (event.type === 'said' ? said(t('Script:'), event.text) : callPart(event, t)));
  return `<section aria-labelledby="step"><h2 id="step">${plain(step.title)}</h2>
${said(t('You:'), step.prompt)}
${parts.join('\n')}
<p class="note">${prose(step.note)}</p>
</section>`;
}

function callPart(call: Extract<TourEvent, { readonly type: 'called' }>, t: Translate): string {
  const lines = call.text.split('\n');
  const more = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).map(plain).join('\n');
  return `<div class="call ${call.success ? 'ran' : 'refused'}">
<p><code>${plain(call.tool)}</code> <code>${plain(call.input)}</code></p>
<p class="outcome">${plain(outcomeOf(call, t))}</p>
<pre>${shown}</pre>${more > 0 ? `<p>${plain(more === 1 ? t('1 more line') : t('{0} more lines', wholeNumber(more, t)))}</p>` : ''}
</div>`;
}

function outcomeOf(call: Extract<TourEvent, { readonly type: 'called' }>, t: Translate): string {
  if (call.success) return `✓ ${t('allowed, {0} ms', wholeNumber(Math.round(call.durationMs), t))}`;
  if (call.code === 'declined') return `⊘ ${t('declined by you')}`;
  return isRefusal(call.code ?? '') ? `⊘ ${t('denied')}` : `✗ ${t('failed')}`;
}

function recordPart({ rows, count, isWhole }: NonNullable<TourPage['record']>, t: Translate): string {
  const headings = [t('Tool'), t('What it touched'), t('What became of it')];
  const lines = rows.map(
    ({ tool, what, said }) =>
      `<tr><th scope="row"><code>${plain(tool)}</code></th><td>${plain(what)}</td><td>${prose(said)}</td></tr>`,
  );
  const checked = isWhole
    ? t('All {0} records were verified: none was changed or taken out.', wholeNumber(count, t))
    : t('The record does not verify.');
  return `<section aria-labelledby="step"><h2 id="step">${plain(t('The record'))}</h2>
<table><thead><tr>${headings.map((one) => `<th scope="col">${plain(one)}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table>
<p>${plain(checked)}</p>
<p class="note">${prose(t('Every call of every surface is recorded like this. Your own record is another one: Open Audit View shows it, Verify Audit proves it.'))}</p>
</section>`;
}

const style = `
body { max-width: 56em; } h2 { font-size: 1.25em; margin: 1em 0 .4em; }
nav ol { display: flex; flex-wrap: wrap; gap: .2em 1.2em; list-style: none; padding: 0; }
nav li[aria-current] { font-weight: bold; text-decoration: underline; }
.call { border-left: 3px solid var(--vscode-textBlockQuote-border, currentColor); margin: .6em 0; padding: .1em 0 .1em 1em; }
.call p { margin: .2em 0; } .refused .outcome { font-weight: bold; }
.note { border-top: 1px solid var(--vscode-panel-border, currentColor); padding-top: .6em; }
pre { margin: .4em 0; max-height: 20em; overflow: auto; }
th, td { overflow-wrap: anywhere; } th code { white-space: nowrap; }
.buttons { display: flex; flex-wrap: wrap; gap: .6em; margin: 1.2em 0; }
.button { color: var(--vscode-button-secondaryForeground, var(--vscode-foreground)); background: var(--vscode-button-secondaryBackground, transparent); border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent)); padding: .35em .9em; text-decoration: none; border-radius: 2px; }
.button.first { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
.button:focus { outline: 2px solid var(--vscode-focusBorder); outline-offset: 2px; }
`;
