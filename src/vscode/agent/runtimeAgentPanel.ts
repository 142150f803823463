import * as vscode from 'vscode';
import { Debounce } from '../../core/base/debounce';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Crypto } from '../../core/ports/platform';
import type { Event } from '../../core/base/event';
import type { SessionLabels } from '../../core/flow/tracker';
import type { RuntimeAgent } from '../../core/profiles/runtimeAgent';

/** Changes come in bursts; the page is drawn once for each. */
const burstMs = 100;

interface RuntimeAgentPanelOptions {
  readonly agent: () => RuntimeAgent;
  readonly labels: () => readonly SessionLabels[];
  /** Fire when the agent or a label may be another. */
  readonly changes: readonly Event<void>[];
  readonly crypto: Pick<Crypto, 'randomId'>;
}

/** The page of the runtime agent: one for the window, drawn anew whenever something changes. It runs no script. */
export class RuntimeAgentPanel extends DisposableStore {
  readonly #options: RuntimeAgentPanelOptions;
  #panel: vscode.WebviewPanel | undefined;
  #shown = '';
  readonly #drawing = this.add(new Debounce(() => void this.#draw(), burstMs));

  constructor(options: RuntimeAgentPanelOptions) {
    super();
    this.#options = options;
    for (const change of options.changes) this.add(change(() => this.#panel && this.#drawing.start()));
    this.add({ dispose: () => this.#panel?.dispose() });
  }

  async show(): Promise<void> {
    if (this.#panel) return this.#panel.reveal();
    this.#panel = vscode.window.createWebviewPanel(
      'agentCapabilities.runtimeAgent',
      vscode.l10n.t('Runtime agent'),
      vscode.ViewColumn.Active,
      { enableScripts: false, enableCommandUris: false, localResourceRoots: [] },
    );
    this.#panel.onDidDispose(() => {
      this.#drawing.cancel();
      this.#panel = undefined;
      this.#shown = '';
    });
    await this.#draw();
  }

  async #draw(): Promise<void> {
    const { runtimeAgentHtml } = await import('../../core/present/runtimeAgentHtml');
    const [agent, labels] = [this.#options.agent(), this.#options.labels()];
    const { name, mode, parts, tools, problems } = agent;
    const key = JSON.stringify([name, mode, parts, tools.map(({ id }) => id), problems, labels]);
    if (!this.#panel || key === this.#shown) return;
    this.#shown = key;
    this.#panel.title = vscode.l10n.t('Runtime agent: {0}', name);
    this.#panel.webview.html = runtimeAgentHtml(agent, {
      language: vscode.env.language,
      nonce: this.#options.crypto.randomId().replaceAll('-', ''),
      t: vscode.l10n.t,
      labels,
    });
  }
}
