import { Marked } from 'marked';
import { wholeNumber } from './words';
import { visible } from '../base/visible';
import type { Problem } from '../base/problem';
import { type PromptPart, type RuntimeAgent, toolTokens } from '../profiles/runtimeAgent';
import { sourceSaid } from '../flow/story';
import type { SessionLabels } from '../flow/tracker';
import { flowLabels } from '../vocabulary/flow';
import { worded } from '../base/sentence';
import type { Translate } from '../base/translate';
import { codeInHtml, escapeHtml, plainHtml, webviewHtml } from './htmlText';
import { sessionWords } from './flowWords';
import { meetingAndRisk } from './toolRow';

interface HtmlOptions {
  /** BCP 47 tag of the words that `t` answers. */
  readonly language: string;
  readonly nonce: string;
  readonly t: Translate;
  /** What sessions of agents have read, where they have labels. */
  readonly labels?: readonly SessionLabels[];
}

/**
 * Prompts are markdown that somebody else may have written: no HTML of theirs, no link that can be followed, no picture
 * that is fetched.
 */
const marked = new Marked({
  gfm: true,
  // A line of a prompt is a line of the page.
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text, href }) => `${escapeHtml(text)} <code>${escapeHtml(href)}</code>`,
    link({ tokens, href }) {
      return `${this.parser.parseInline(tokens)} <code>${escapeHtml(href)}</code>`;
    },
    // Our own headings give the page its outline; those of a prompt are only emphasised.
    heading({ tokens }) {
      return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

function prompt(text: string): string {
  return marked.parse(visible(text), { async: false });
}

function severityWord(severity: Problem['severity'], t: Translate): string {
  return { error: t('Error:'), warning: t('Warning:'), information: t('Note:') }[severity];
}

function originWords(origin: PromptPart['origin'], t: Translate): string {
  if (origin.type === 'capability') return origin.name;
  return origin.file === undefined
    ? t('Base prompt of the profile')
    : t('Base prompt of the profile, from {0}', origin.file);
}

/**
 * The whole page of the runtime agent: prompt part by part with origin and tokens, tools in order, problems. It holds
 * no script.
 */
export function runtimeAgentHtml(agent: RuntimeAgent, options: HtmlOptions): string {
  const { t } = options;
  const promptTokens = agent.parts.reduce((sum, part) => sum + part.tokens, 0);
  const problems = agent.problems.map(
    (problem) =>
      `<li><strong>${plainHtml(severityWord(problem.severity, t))}</strong> ${codeInHtml(plainHtml(worded(problem.said, t)))}</li>`,
  );
  const parts = agent.parts.map((part) => {
    const origin = originWords(part.origin, t);
    return `<li><h3>${plainHtml(origin)} <span class="quiet">${plainHtml(part.tokens === 1 ? t('1 token') : t('{0} tokens', wholeNumber(part.tokens, t)))}</span></h3><div class="prompt">${prompt(part.text)}</div></li>`;
  });
  const rows = agent.tools.map((tool, index) => {
    const { id, modelName } = tool;
    const tokens = toolTokens(tool);
    return `<tr><td>${index + 1}</td><th scope="row"><code>${plainHtml(modelName)}</code></th><td><code>${plainHtml(id)}</code></td><td>${plainHtml(meetingAndRisk(tool, agent.mode, t))}</td><td class="number">${wholeNumber(tokens, t)}</td></tr>`;
  });
  const labels = (options.labels ?? []).flatMap((session) =>
    flowLabels.flatMap((label) => {
      const read = session[label].map((one) => `<li>${codeInHtml(plainHtml(worded(sourceSaid(one), t)))}</li>`);
      const title = `${sessionWords(session.id, t)}: ${label === 'private' ? t('private') : t('untrusted')}`;
      return read.length === 0 ? [] : [`<li><strong>${plainHtml(title)}</strong><ul>${read.join('')}</ul></li>`];
    }),
  );
  const headings = ['#', t('Tool'), t('Id'), t('Permission and risk'), t('Tokens')];
  const main = `<h1>${plainHtml(agent.name)}</h1>
<p>${plainHtml(`${t('Mode: {0}', agent.mode)} · ${agent.tools.length === 1 ? t('1 tool') : t('{0} tools', wholeNumber(agent.tools.length, t))} · ${t('about {0} tokens in every request', wholeNumber(promptTokens + agent.toolTokens, t))}`)}</p>
${problems.length > 0 ? `<section aria-labelledby="problems"><h2 id="problems">${plainHtml(t('Problems'))}</h2><ul>${problems.join('')}</ul></section>` : ''}
${labels.length > 0 ? `<section aria-labelledby="labels"><h2 id="labels">${plainHtml(t('Labels of sessions'))}</h2><ul>${labels.join('')}</ul></section>` : ''}
<section aria-labelledby="prompt"><h2 id="prompt">${plainHtml(t('Prompt'))}</h2>
${parts.length > 0 ? `<ol class="parts">${parts.join('')}</ol>` : `<p>${plainHtml(t('No capability that is on adds to the prompt, and the profile has no base prompt.'))}</p>`}
</section>
<section aria-labelledby="tools"><h2 id="tools">${plainHtml(t('Tools'))}</h2>
${rows.length > 0 ? `<table><thead><tr>${headings.map((heading) => `<th scope="col">${plainHtml(heading)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>` : `<p>${plainHtml(t('The profile gives no tool.'))}</p>`}
</section>`;
  const { language, nonce } = options;
  return webviewHtml({ title: t('Runtime agent: {0}', agent.name), language, nonce, style, main });
}

const style = `
body { max-width: 60em; } h2 { font-size: 1.25em; margin-top: 2em; } h3 { font-size: 1em; margin: 0; }
.quiet { font-weight: normal; opacity: .85; }
.parts { padding-left: 1.4em; } .parts > li { margin-bottom: 1.2em; }
.prompt { border-left: 3px solid var(--vscode-textBlockQuote-border, currentColor); margin-top: .4em; padding-left: 1em; overflow-wrap: anywhere; }
.number { text-align: right; }
`;
