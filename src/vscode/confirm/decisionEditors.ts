import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { ApprovalRequest } from '../../core/call/gateCall';
import type { ApprovalQueue } from '../../core/policy/approvals/approvals';
import type { Clock, Crypto } from '../../core/ports/platform';
import { type ApprovalText, describeApproval } from '../../core/present/approvalText';
import { heard } from '../heard';
import { decisionScheme } from '../manifest/commands/decisionScheme';
import { showInformation } from '../notices';
import { tooSoonMs } from './modalQuestions';

/** The editor's chat does not offer files of this ending as context. */
const unoffered = '.copilotmd';

interface Shown {
  readonly request: ApprovalRequest;
  /** By the paths of the addresses. */
  readonly texts: ReadonlyMap<string, string>;
  /** What its tab says. The editor tells not of every comparison what it shows. */
  readonly label: string;
  readonly openedAt: number;
}

/** Where a comparison opens. */
interface Place {
  readonly name: string;
  readonly key: string;
  readonly at: (path: string) => vscode.Uri;
  readonly preserveFocus: boolean;
}

type Queue = Pick<ApprovalQueue, 'pending' | 'show' | 'answer' | 'onDidChange'>;

interface DecisionEditorsOptions {
  readonly clock: Clock;
  readonly crypto: Pick<Crypto, 'randomId'>;
}

/**
 * Shows calls that wait for an answer in editors: a change side by side, everything else as a text. An address holds a
 * secret that only the buttons of its own title bar pass on, so that nobody answers by calling their commands. An
 * editor closes once its call is answered, in whatever way.
 */
export class DecisionEditors extends DisposableStore implements vscode.TextDocumentContentProvider {
  readonly #options: DecisionEditorsOptions;
  readonly #shown = new Map<string, Shown>();
  readonly #hasShown = new Set<string>();
  #queue: Queue | undefined;

  constructor(options: DecisionEditorsOptions) {
    super();
    this.#options = options;
    this.add(vscode.workspace.registerTextDocumentContentProvider(decisionScheme, this));
    this.add(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#closed(closed)));
    // Of a window that was reloaded, whose calls are over.
    void this.#close(() => true);
  }

  /** Follows the calls that wait. */
  follow(queue: Queue): void {
    this.#queue = queue;
    this.add(queue.onDidChange(() => this.#closeAnswered(queue)));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#shown.get(uri.query)?.texts.get(uri.path) ?? vscode.l10n.t('This call waits no more.');
  }

  /** True where all of a call was shown to the person. */
  hasShown(requestId: string): boolean {
    return this.#hasShown.has(requestId);
  }

  /** Shows a call; with `keepsKeyboard` the keyboard stays where it is. */
  async open(
    request: ApprovalRequest,
    text: ApprovalText,
    { keepsKeyboard = false }: { readonly keepsKeyboard?: boolean } = {},
  ): Promise<void> {
    const name = visible(request.call.tool.definition.name);
    const key = this.#options.crypto.randomId();
    const at = (path: string): vscode.Uri =>
      vscode.Uri.from({ scheme: decisionScheme, path: `/${text.lasting}/${path}${unoffered}`, query: key });
    await this.#close((one) => this.#shown.get(one)?.request.id === request.id);
    const sides = text.isHeadWhole && !request.preview.lines ? request.preview.sides?.() : undefined;
    const isCompared =
      sides !== undefined && (await this.#openSides(sides, request, { name, key, at, preserveFocus: keepsKeyboard }));
    if (!isCompared) {
      const uri = at(`${name}.diff`);
      this.#keep(key, request, labelOf(uri), [[uri, text.full]]);
      await vscode.window.showTextDocument(await inLanguage(uri, 'diff'), {
        preview: false,
        preserveFocus: keepsKeyboard,
      });
    }
    this.#hasShown.add(request.id);
  }

  /** False where the editor would not compare the two as texts. */
  async #openSides(
    sides: { readonly path: string; readonly before: string; readonly after: string },
    request: ApprovalRequest,
    { name, key, at, preserveFocus }: Place,
  ): Promise<boolean> {
    const [{ shownSides }, { languageOf }] = await Promise.all([
      import('../../core/present/changeSides'),
      import('../files/languageOf'),
    ]);
    const path = visible(sides.path).replace(/^\/+/, '');
    const [left, right] = [at(`before/${path}`), at(`after/${path}`)];
    const settings = vscode.workspace.getConfiguration('diffEditor');
    const shown = shownSides(sides, {
      diff: request.preview.diff ?? '',
      ignoresBlanks: settings.get<boolean>('ignoreTrimWhitespace', true),
    });
    const title = this.#freeLabel(vscode.l10n.t('{0}: {1} · waits for your answer', name, path));
    this.#keep(key, request, title, [
      [left, shown.before],
      [right, shown.after],
    ]);
    const language = languageOf(path);
    await Promise.all([left, right].map((uri) => inLanguage(uri, language)));
    // Without `override` the editor's viewer of such files would take them.
    await vscode.commands.executeCommand('vscode.diff', left, right, title, {
      preview: false,
      preserveFocus,
      override: false,
    });
    const isText = await areShown([left, right]);
    if (!isText) await this.#close((one) => one === key);
    else await wrapLines(shown.after, settings);
    return isText;
  }

  #freeLabel(wanted: string): string {
    const taken = new Set([...this.#shown.values()].map(({ label }) => label));
    let label = wanted;
    for (let count = 2; taken.has(label); count++) label = `${wanted} (${count})`;
    return label;
  }

  #keep(key: string, request: ApprovalRequest, label: string, texts: readonly (readonly [vscode.Uri, string])[]): void {
    this.#shown.set(key, {
      request,
      label,
      texts: new Map(texts.map(([uri, text]) => [uri.path, text])),
      openedAt: this.#options.clock.monotonic(),
    });
  }

  /**
   * The call whose button in the title bar was pressed; undefined where a command was called in another way, or too
   * soon after its editor opened, unless the answer `isHarmless`.
   */
  pressed(
    args: readonly unknown[],
    { isHarmless = false }: { readonly isHarmless?: boolean } = {},
  ): ApprovalRequest | undefined {
    const [uri] = args;
    if (!(uri instanceof vscode.Uri) || uri.scheme !== decisionScheme) return undefined;
    const shown = this.#shown.get(uri.query);
    const isActive = keyInFront() === uri.query;
    if (!shown || !isActive) return undefined;
    return isHarmless || this.#options.clock.monotonic() - shown.openedAt >= tooSoonMs ? shown.request : undefined;
  }

  /** Asks by modal about the call in the editor in front, else about the one that waits longest. */
  ask(): void {
    const front = this.#shown.get(keyInFront() ?? '');
    const id = front?.request.id ?? this.#queue?.pending()[0]?.request.id;
    if (id !== undefined) this.#queue?.show(id);
  }

  #closeAnswered(queue: Queue): void {
    const waiting = new Set(queue.pending().map(({ request }) => request.id));
    for (const id of this.#hasShown) if (!waiting.has(id)) this.#hasShown.delete(id);
    const over = [...this.#shown].filter(([, { request }]) => !waiting.has(request.id)).map(([key]) => key);
    if (over.length > 0) void this.#close((key) => over.includes(key));
  }

  /** An editor that is left undecided leads back to its question. */
  #closed(tabs: readonly vscode.Tab[]): void {
    for (const tab of tabs) {
      const key = this.#keyOf(tab);
      const shown = key === undefined ? undefined : this.#shown.get(key);
      if (key === undefined || !shown) continue;
      this.#shown.delete(key);
      const waiting = this.#queue?.pending().find(({ request }) => request.id === shown.request.id);
      if (waiting?.state === 'parked') void this.#offerToDecide(shown.request);
    }
  }

  async #offerToDecide(request: ApprovalRequest): Promise<void> {
    const decide = vscode.l10n.t('Decide…');
    const deny = vscode.l10n.t('Deny');
    const { title } = describeApproval(request, vscode.l10n.t);
    const picked = await showInformation(title, decide, deny);
    const queue = this.#queue;
    if (picked === undefined || !queue) return;
    const { id } = request;
    const isWaiting = picked === decide ? queue.show(id) : (await queue.answer([id], { outcome: 'deny' })) > 0;
    if (!isWaiting) void showInformation(vscode.l10n.t('That call waits no more, so nothing was decided.'));
  }

  async #close(isMeant: (key: string) => boolean): Promise<void> {
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter((tab) => {
        const key = this.#keyOf(tab);
        return key !== undefined && isMeant(key);
      });
    for (const key of [...this.#shown.keys()]) if (isMeant(key)) this.#shown.delete(key);
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  /** The secret of the address that a tab shows. */
  #keyOf({ input, label }: vscode.Tab): string | undefined {
    const { uri } = input instanceof vscode.TabInputText ? input : {};
    if (uri?.scheme === decisionScheme) return uri.query;
    return input === undefined || input instanceof vscode.TabInputTextDiff
      ? [...this.#shown].find(([, shown]) => shown.label === label)?.[0]
      : undefined;
  }
}

/** On a busy machine it takes seconds until an editor is there. */
const longestWaitMs = 5000;

/** True once all of these texts stand in visible editors. */
async function areShown(uris: readonly vscode.Uri[]): Promise<boolean> {
  const wanted = uris.map(String);
  const isThere = (): boolean => {
    const shown = new Set(vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()));
    return wanted.every((uri) => shown.has(uri));
  };
  return isThere() || (await heard(vscode.window.onDidChangeVisibleTextEditors, longestWaitMs, isThere)) || isThere();
}

/** The secret of the address in the editor in front. */
function keyInFront(): string | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === decisionScheme ? uri.query : undefined;
}

const labelOf = ({ path }: vscode.Uri): string => path.slice(path.lastIndexOf('/') + 1);

async function inLanguage(uri: vscode.Uri, language: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  return document.languageId === language ? document : vscode.languages.setTextDocumentLanguage(document, language);
}

/** Half a window holds about so much of a line. */
const mostBeside = 60;

/** Wraps long lines in the comparison in front, where the person's settings do not. */
async function wrapLines(text: string, settings: vscode.WorkspaceConfiguration): Promise<void> {
  const own = settings.get<string>('wordWrap', 'inherit');
  const inForce = own === 'inherit' ? vscode.workspace.getConfiguration('editor').get<string>('wordWrap', 'off') : own;
  if (inForce !== 'off' || !text.split('\n').some((line) => line.length > mostBeside)) return;
  await vscode.commands.executeCommand('editor.action.toggleWordWrap');
}
