import * as vscode from 'vscode';
import { Debounce } from '../../core/base/debounce';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { Crypto } from '../../core/ports/platform';
import type { Event } from '../../core/base/event';
import type { SessionLabels } from '../../core/flow/tracker';
import type { RuntimeAgent } from '../../core/profiles/runtimeAgent';

/** Changes come in bursts; the page is drawn once for each. */
const burstMs = 100;

/** The page of the runtime agent: one for the window, drawn anew whenever something changes. It runs no script. */
export class RuntimeAgentPanel implements Disposable {
  readonly #agent: () => RuntimeAgent;
  readonly #changes: readonly Event<void>[];
  readonly #crypto: Crypto;
  readonly #labels: () => readonly SessionLabels[];
  #panel: vscode.WebviewPanel | undefined;
  #open = new DisposableStore();
  #shown = '';
  readonly #drawing = new Debounce(() => void this.#draw(), burstMs);

  /** @param changes fire when the agent or a label may be another. */
  constructor(
    agent: () => RuntimeAgent,
    labels: () => readonly SessionLabels[],
    changes: readonly Event<void>[],
    crypto: Crypto,
  ) {
    this.#agent = agent;
    this.#labels = labels;
    this.#changes = changes;
    this.#crypto = crypto;
  }

  async show(): Promise<void> {
    if (this.#panel) return this.#panel.reveal();
    const panel = vscode.window.createWebviewPanel(
      'agentCapabilities.runtimeAgent',
      vscode.l10n.t('Runtime agent'),
      vscode.ViewColumn.Active,
      { enableScripts: false, enableCommandUris: false, localResourceRoots: [] },
    );
    this.#panel = panel;
    this.#open = new DisposableStore();
    for (const change of this.#changes) this.#open.add(change(() => this.#drawing.start()));
    panel.onDidDispose(() => {
      this.#drawing.cancel();
      this.#open.dispose();
      this.#panel = undefined;
      this.#shown = '';
    });
    await this.#draw();
  }

  async #draw(): Promise<void> {
    const { runtimeAgentHtml } = await import('../../core/present/runtimeAgentHtml');
    const [agent, labels] = [this.#agent(), this.#labels()];
    const key = JSON.stringify([
      agent.name,
      agent.mode,
      agent.parts,
      agent.tools.map((tool) => tool.id),
      agent.problems,
      labels,
    ]);
    if (!this.#panel || key === this.#shown) return;
    this.#shown = key;
    this.#panel.title = vscode.l10n.t('Runtime agent: {0}', agent.name);
    this.#panel.webview.html = runtimeAgentHtml(agent, {
      language: vscode.env.language,
      nonce: this.#crypto.randomId().replaceAll('-', ''),
      t: vscode.l10n.t,
      labels,
    });
  }

  dispose(): void {
    this.#drawing.dispose();
    this.#panel?.dispose();
    this.#open.dispose();
  }
}
