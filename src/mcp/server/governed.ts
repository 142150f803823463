import { type Event, Emitter } from '../../core/base/event';
import type { Disposable } from '../../core/base/lifecycle';
import type { Invocation } from '../../core/call/gateCall';
import type { ToolRouter } from '../../core/gate/router';
import { findTool } from '../../core/gate/steps';
import type { FoundTools } from '../../core/registry/foundTools';
import { contentTag } from '../../core/vocabulary/contentTag';
import { discoveryCapability, offeredTools, offersSearch } from '../../core/profiles/offeredTools';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { CapabilityRegistry, RegisteredTool } from '../../core/registry/registry';
import type { ToolResult } from '../../core/vocabulary/toolResult';
import { listTool, type McpTool } from './toolList';
import { sourceKind } from '../../core/vocabulary/toolSource';

export interface GovernedToolsOptions {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly router: Pick<ToolRouter, 'invoke'> & Partial<Pick<ToolRouter, 'hideInText'>>;
  /** The prompt that the active profile resolves to. */
  readonly prompt: () => string;
  /** The editor's own endpoint lists only what the manifest cannot: tools that exist at run time. */
  readonly only?: (tool: RegisteredTool) => boolean;
  /** Waits until what is still being discovered is known, before a list or a call of an unknown tool is answered. */
  readonly settled?: () => Promise<void>;
  /**
   * What was found outside this server, where its one client searches elsewhere: the editor's agent mode has
   * `search_tools` from the manifest.
   */
  readonly found?: FoundTools;
  /** The title of a tool that does more than read, for a client that asks before it calls one. */
  readonly actingTitle?: (title: string) => string;
}

/**
 * The governed tools as an MCP server offers them: what the active profile offers to agents, listed once and kept until
 * it changes.
 */
export class GovernedTools implements Disposable {
  readonly #options: GovernedToolsOptions;
  readonly #changed = new Emitter<void>();
  readonly #subscriptions: readonly Disposable[];
  #listed: readonly McpTool[] | undefined;
  /** Whether the profile offered search instead of all when the tools were listed. */
  #listedForSearch = false;
  /**
   * A registered tool keeps all but its name, and with thousands of them describing each anew would be felt at every
   * click.
   */
  readonly #described = new WeakMap<RegisteredTool, McpTool>();
  #byName: ReadonlyMap<string, RegisteredTool> = new Map();
  /** What clients get of a tool, without the secrets that its description holds. */
  readonly #shown = new WeakMap<McpTool, Promise<McpTool>>();
  /** The prompt without its secrets, for the prompt of which it was made. */
  #prompt: { readonly written: string; readonly shown: string } | undefined;

  constructor(options: GovernedToolsOptions) {
    this.#options = options;
    const { found } = options;
    this.#subscriptions = [
      options.profiles.onDidChange(() => this.#refresh()),
      ...(found ? [found.onDidChange(() => this.#offersSearch() && this.#changed.fire())] : []),
    ];
  }

  /** Fires when the list differs from what was listed before, not at every change of the profile. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /**
   * The tools for one client; where the profile offers search instead of all, those that it found (`revealed`) and the
   * searching ones.
   */
  async list(revealed: ReadonlySet<string>): Promise<readonly McpTool[]> {
    await this.#options.settled?.();
    const all = this.listNow();
    const found = this.#options.found?.names;
    const offered = this.#offersSearch()
      ? all.filter(
          ({ name }) =>
            revealed.has(name) || found?.has(name) || this.#byName.get(name)?.capability.id === discoveryCapability,
        )
      : all;
    return Promise.all(offered.map((tool) => this.#show(tool)));
  }

  /** What we say of our own tools holds no secret. */
  #show(tool: McpTool): McpTool | Promise<McpTool> {
    const { router } = this.#options;
    const source = this.#byName.get(tool.name)?.source;
    if (!router.hideInText || (source && sourceKind(source).isOurs)) return tool;
    let shown = this.#shown.get(tool);
    if (!shown) {
      shown = router.hideInText(tool).then((hidden) => ({ ...hidden, name: tool.name }));
      this.#shown.set(tool, shown);
    }
    return shown;
  }

  /** Hides the secrets of the prompt as it is now; `instructions` hands out the prompt for which that was done last. */
  async preparePrompt(): Promise<void> {
    const written = this.#options.prompt();
    const shown = (await this.#options.router.hideInText?.(written)) ?? written;
    this.#prompt = { written, shown };
  }

  #offersSearch(): boolean {
    return offersSearch(this.#options.profiles.active());
  }

  listNow(): readonly McpTool[] {
    this.#listed ??= this.#make();
    return this.#listed;
  }

  /**
   * Finds an offered tool by the name that was listed, and by others as the gate does, which says what is wrong with
   * those that mean none.
   */
  find(name: string): RegisteredTool | undefined {
    this.listNow();
    const listed = this.#byName.get(name);
    if (listed) return listed;
    const found = findTool(this.#options.registry, name, this.#options.profiles.active());
    return 'tool' in found ? found.tool : undefined;
  }

  /** As `find`; a name that nobody knows yet waits for what is still being discovered. */
  async findSettled(name: string): Promise<RegisteredTool | undefined> {
    const found = this.find(name);
    if (found) return found;
    await this.#options.settled?.();
    return this.find(name);
  }

  /** The tools that stand for what governed servers offer beside tools. */
  contents(): readonly RegisteredTool[] {
    return this.#options.profiles
      .active()
      .tools.filter(
        ({ source, definition }) => sourceKind(source).offersContents && definition.tags?.includes(contentTag),
      );
  }

  invoke(invocation: Invocation): Promise<ToolResult> {
    return this.#options.router.invoke(invocation);
  }

  instructions(): string {
    if (!this.#options.router.hideInText) return this.#options.prompt();
    if (this.#prompt?.written !== this.#options.prompt()) this.preparePrompt().catch(() => undefined);
    return this.#prompt?.shown ?? '';
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
    this.#changed.dispose();
  }

  #make(): readonly McpTool[] {
    this.#listedForSearch = this.#offersSearch();
    const profile = this.#options.profiles.active();
    const offered = offeredTools(profile).filter(this.#options.only ?? (() => true));
    this.#byName = new Map(offered.map((tool) => [tool.modelName, tool]));
    return offered.map((tool) => {
      // What it may do depends on the profile's scopes.
      if (tool.definition.sideEffectsByScope) return listTool(tool, this.#options.actingTitle, profile.scopes);
      const known = this.#described.get(tool);
      // Its name changes where another tool comes that is called so.
      if (known?.name === tool.modelName) return known;
      const made = listTool(tool, this.#options.actingTitle);
      this.#described.set(tool, made);
      return made;
    });
  }

  #refresh(): void {
    if (!this.#listed) {
      this.#changed.fire();
      return;
    }
    const before = this.#listed;
    const forSearch = this.#listedForSearch;
    this.#listed = undefined;
    const after = this.listNow();
    const isOther = before.length !== after.length || before.some((tool, index) => !isSame(tool, after[index]));
    if (isOther || forSearch !== this.#listedForSearch) this.#changed.fire();
  }
}

/** A server that was started again registers its tools anew, mostly with the same content. */
function isSame(a: McpTool, b: McpTool | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
