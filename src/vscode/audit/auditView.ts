import * as vscode from 'vscode';
import { pause } from '../../core/base/pause';
import { parseFilter } from '../../core/audit/query';
import type { AuditReader, FoundRecord } from '../../core/audit/reader';
import type { AuditRecord } from '../../core/audit/record';
import {
  type AuditAction,
  type AuditRow,
  type FromAuditView,
  isRoutine,
  maxRows,
  parseFromAuditView,
  parseKey,
  type ToAuditView,
} from '../../core/audit/viewModel';
import type { CallUndo } from '../../core/changes/undo';
import { GrantRecords } from '../../core/audit/grantRecords';
import { recordsOfCall } from '../../core/audit/recordsOfCall';
import { detailsOf, rowOf } from '../../core/present/auditDetails';
import { filterChoices } from '../../core/present/auditWords';
import { Debounce } from '../../core/base/debounce';
import { DisposableStore } from '../../core/base/lifecycle';
import { worded } from '../../core/base/sentence';
import { auditHtml } from './html';
import { auditTexts } from '../../core/audit/viewTexts';
import { grantWords } from './grantNames';
import { saidToPerson } from '../saidToPerson';
import { localTime } from '../times';
import { messageOf } from '../../core/base/errorText';

/** What the view's actions do; each gets the record as it stands in the log. */
interface AuditViewActions {
  explain(record: AuditRecord): unknown;
  runAgain(record: AuditRecord): unknown;
  turnIntoRule(record: AuditRecord): unknown;
  /** Takes back what the call changed in files. */
  undo(record: AuditRecord): unknown;
  /** Makes it again. */
  redo(record: AuditRecord): unknown;
  /** Opens a file that a call touched; the path is the access's resource. */
  openFile(path: string): unknown;
}

interface AuditViewOptions {
  readonly extensionUri: vscode.Uri;
  readonly reader: AuditReader;
  readonly actions: AuditViewActions;
  readonly randomId: () => string;
  /** What people call a profile. */
  readonly profileName: (id: string) => string;
  /** What became of what calls changed in files, by their ids; undefined where nothing is kept here. */
  readonly undoOf: (calls: readonly string[]) => Promise<ReadonlyMap<string, CallUndo>> | undefined;
  readonly onProblem: (message: string) => void;
}

const pageSize = 2000;
const freshMs = 700;

/** The icon of the tab: a file is drawn as it is, so that each kind of theme needs its own. */
function panelIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const icon = (kind: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', `panel-${kind}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}

/** The audit in an editor tab: the list is read page by page while it is open, and new records are put on top. */
export class AuditView extends DisposableStore {
  readonly #options: AuditViewOptions;
  readonly #panel: vscode.WebviewPanel;
  #filter: Readonly<Record<string, string>> = {};
  /** Grows with every filter, so that a page of an older one is dropped. */
  #generation = 0;
  #newest: AuditRow | undefined;
  #seen = new Set<string>();
  readonly #grants = new GrantRecords();
  /** The record whose details are shown. */
  #selected: string | undefined;
  readonly #reading = this.add(
    new Debounce(() => void this.#fresh().catch((error: unknown) => this.#problem(error)), freshMs),
  );

  constructor(options: AuditViewOptions) {
    super();
    this.#options = options;
    const { extensionUri } = options;
    const scripts = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    const title = vscode.l10n.t('Audit');
    this.#panel = vscode.window.createWebviewPanel('agentCapabilities.audit', title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [scripts],
      enableFindWidget: false,
      retainContextWhenHidden: true,
    });
    this.#panel.iconPath = panelIcon(extensionUri);
    this.#panel.onDidDispose(() => this.dispose());
    const { webview } = this.#panel;
    this.add(
      webview.onDidReceiveMessage((raw: unknown) => {
        const message = parseFromAuditView(raw);
        if (message) void this.#receive(message).catch((error: unknown) => this.#problem(error));
      }),
    );
    webview.html = auditHtml({
      nonce: options.randomId().replace(/[^A-Za-z0-9]/g, ''),
      script: webview.asWebviewUri(vscode.Uri.joinPath(scripts, 'audit.js')).toString(),
      title,
      language: vscode.env.language,
    });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Tells that records were written. Cheap: it only marks. */
  changed(): void {
    this.#reading.start();
  }

  override dispose(): void {
    if (this.isDisposed) return;
    this.#generation++;
    super.dispose();
    this.#panel.dispose();
  }

  #post(message: ToAuditView): void {
    void this.#panel.webview.postMessage(message);
  }

  #problem(error: unknown): void {
    this.#options.onProblem(`the audit view: ${messageOf(error)}`);
    this.#post({ type: 'problem', text: saidToPerson(error) });
  }

  async #receive(message: FromAuditView): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#post({ type: 'init', texts: auditTexts(vscode.l10n.t), choices: filterChoices(vscode.l10n.t) });
        return this.#load({});
      case 'filter':
        return this.#load(message.filter);
      case 'open':
        await this.#options.actions.openFile(message.path);
        return;
      case 'select':
        return this.#details(message.key);
      case 'action':
        return this.#act(message.action, message.key);
    }
  }

  async #details(key: string): Promise<void> {
    this.#selected = key;
    const record = await this.#record(key);
    const all = record && (await recordsOfCall(this.#options.reader, record));
    const call = record?.['gen_ai.tool.call.id'];
    const undo = call === undefined ? undefined : await this.#undoOf(call);
    if (all)
      await this.#grants.find(
        this.#options.reader,
        all.map((one) => one['approval.by']),
      );
    const grant = (id: string): string | undefined => grantWords(this.#grants, id);
    const details =
      all && detailsOf(key, all, vscode.l10n.t, this.#options.profileName, undo, { grant, when: localTime });
    if (details) this.#post({ type: 'details', details });
    else this.#post({ type: 'problem', text: vscode.l10n.t('This record is no longer in the log.') });
  }

  /** What became of a call's changes; the record is shown also where the store of changes cannot be read. */
  async #undoOf(call: string): Promise<CallUndo | undefined> {
    try {
      return (await this.#options.undoOf([call]))?.get(call);
    } catch (error) {
      this.#options.onProblem(`the audit view: ${messageOf(error)}`);
      return undefined;
    }
  }

  async #act(action: AuditAction, key: string): Promise<void> {
    const record = await this.#record(key);
    if (!record) return this.#post({ type: 'problem', text: vscode.l10n.t('This record is no longer in the log.') });
    if (action === 'copy') await vscode.env.clipboard.writeText(JSON.stringify(record, undefined, 2));
    else await this.#options.actions[action](record);
    if ((action === 'undo' || action === 'redo') && key === this.#selected) await this.#details(key);
  }

  /** The rows of what was found, without what the log notes about itself at every start. */
  #listed(found: readonly FoundRecord[]): readonly AuditRow[] {
    return found
      .filter(({ record }) => !isRoutine(record))
      .map((one) => rowOf(one, vscode.l10n.t, this.#options.profileName, localTime));
  }

  async #record(key: string): Promise<AuditRecord | undefined> {
    const place = parseKey(key);
    return place && this.#options.reader.find(place.segment, place.seq);
  }

  /** Reads page after page and lets the editor breathe in between. */
  async #load(raw: Readonly<Record<string, string>>): Promise<void> {
    const generation = ++this.#generation;
    const parsed = parseFilter(raw, Date.now());
    if (!parsed.ok) return this.#post({ type: 'problem', text: worded(parsed.problem, vscode.l10n.t) });
    this.#filter = raw;
    this.#newest = undefined;
    this.#seen = new Set();
    let next: string | undefined;
    let sent = 0;
    let limit = 200;
    do {
      const page = await this.#options.reader.page(parsed.filter, {
        limit: Math.min(limit, maxRows - sent),
        ...(next === undefined ? {} : { next }),
      });
      if (generation !== this.#generation) return;
      const rows = this.#listed(page.found);
      if (sent === 0) this.#remember(rows);
      next = page.next;
      const limited = next !== undefined && sent + rows.length >= maxRows;
      this.#post({ type: 'rows', reset: sent === 0, rows, done: next === undefined || limited, limited });
      sent += rows.length;
      limit = pageSize;
      await pause(0);
    } while (next !== undefined && sent < maxRows && generation === this.#generation);
  }

  async #fresh(): Promise<void> {
    const generation = this.#generation;
    const parsed = parseFilter(this.#filter, Date.now());
    if (!parsed.ok) return;
    const since = this.#newest?.time ?? parsed.filter.since;
    const page = await this.#options.reader.page(
      { ...parsed.filter, ...(since === undefined ? {} : { since }) },
      { limit: pageSize },
    );
    if (generation !== this.#generation) return;
    const rows = this.#listed(page.found).filter((row) => !this.#seen.has(row.key));
    if (rows.length === 0) return;
    this.#remember(rows);
    this.#post({ type: 'fresh', rows });
  }

  /** Remembers the records of the newest instant, because the next look begins with that instant. */
  #remember(rows: readonly AuditRow[]): void {
    const newest = rows[0];
    if (!newest) return;
    if (newest.time !== this.#newest?.time) this.#seen = new Set();
    this.#newest = newest;
    for (const row of rows) if (row.time === newest.time) this.#seen.add(row.key);
  }
}
