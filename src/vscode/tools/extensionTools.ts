import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import { Emitter, type Event } from '../../core/base/event';
import { canonicalJson, isObject, type Json } from '../../core/base/json';
import {
  type EditorTool,
  extensionCapabilities,
  manifestTools,
  partsOutcome,
  readExtensionJudgements,
  type ToolExtension,
} from '../../core/foreign/extensionTools';
import type { Log } from '../../core/ports/platform';
import type { ChangedSettings } from '../../core/settings/settingsInForce';
import type { FileSystem } from '../../core/ports/files';
import type { Problem } from '../../core/base/problem';
import type { CapabilityRegistry } from '../../core/registry/registry';
import type { ToolOutcome } from '../../core/vocabulary/toolResult';
import type { ToolContext } from '../../core/capability/tool';
import { messageOf } from '../../core/base/errorText';
import { cancellationOf } from '../cancellation';

const timeoutMs = 120_000;
/** The editor tells no change of its tools; extensions register theirs a while after they were loaded. */
const lookAgainMs = [2000, 10_000, 60_000];

interface ExtensionToolsOptions {
  readonly registry: CapabilityRegistry;
  readonly ownId: string;
  readonly log: Log;
  readonly files: FileSystem;
  /** The value of the setting `extensionTools`. */
  readonly judgements: () => unknown;
  readonly onDidChangeSettings: Event<ChangedSettings>;
}

/**
 * Brings the language-model tools of other extensions into the registry, each extension as a capability, called through
 * the gate.
 */
export class ExtensionTools extends DisposableStore {
  readonly #options: ExtensionToolsOptions;
  readonly #changed = this.add(new Emitter<void>());
  /** Fire when the tools or what is wrong with them changed. */
  readonly changes = [this.#changed.event];
  readonly #registered = this.add(new DisposableStore());
  #signature = '';
  #problems: readonly Problem[] = [];

  constructor(options: ExtensionToolsOptions) {
    super();
    this.#options = options;
    this.add(options.onDidChangeSettings((keys) => keys.has('extensionTools') && this.refresh()));
    this.add(vscode.extensions.onDidChange(() => this.refresh()));
    for (const delay of lookAgainMs) {
      const timer = setTimeout(() => this.refresh(), delay);
      this.add({ dispose: () => clearTimeout(timer) });
    }
    this.refresh();
  }

  /** What keeps tools out of the tree; the tools themselves stand among its capabilities. */
  problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Looks at the editor's tools again; nothing happens where they are the same. */
  refresh(): void {
    const tools = vscode.lm.tools.map(({ name, description, inputSchema, tags }): EditorTool => ({
      name,
      description,
      inputSchema,
      tags,
    }));
    const extensions = vscode.extensions.all.flatMap((one): ToolExtension[] => {
      const declared = manifestTools(one.packageJSON);
      if (declared.length === 0) return [];
      const manifest: unknown = one.packageJSON;
      const text = (key: string): string => {
        const value = isObject(manifest) ? manifest[key] : undefined;
        return typeof value === 'string' ? value : '';
      };
      return [{ id: one.id, displayName: text('displayName'), version: text('version'), tools: declared }];
    });
    const signature = canonicalJson([
      tools.map(({ name, description, tags }) => [name, description, [...tags]]),
      extensions.map(({ id, version }) => [id, version]),
      // It came from the settings, which hold JSON.
      (this.#options.judgements() ?? {}) as Json,
    ]);
    if (signature === this.#signature) return;
    const { judgementOf, problems } = readExtensionJudgements(this.#options.judgements());
    const made = extensionCapabilities(tools, extensions, this.#options.ownId, {
      invoke,
      timeoutMs,
      files: this.#options.files,
      judgement: judgementOf,
    });
    this.#signature = signature;
    this.#problems = [...problems, ...made.problems];
    this.#registered.clear();
    for (const capability of made.capabilities) {
      try {
        this.#registered.add(this.#options.registry.register(capability));
      } catch (error) {
        this.#options.log.warn(`the tools of ${capability.name} are left out: ${messageOf(error)}`);
      }
    }
    this.#changed.fire();
  }
}

async function invoke(name: string, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  const source = cancellationOf(context.signal);
  try {
    const args = typeof input === 'object' && input !== null ? input : {};
    const result = await vscode.lm.invokeTool(name, { input: args, toolInvocationToken: undefined }, source.token);
    return partsOutcome(result.content, picture);
  } finally {
    source.dispose();
  }
}

/** A data part with a picture, in editors that have the class. */
function picture(part: unknown): { mimeType: string; data: string } | undefined {
  if (typeof part !== 'object' || part === null || !('data' in part) || !('mimeType' in part)) return undefined;
  const { data, mimeType } = part;
  if (!(data instanceof Uint8Array) || typeof mimeType !== 'string' || !mimeType.startsWith('image/')) return undefined;
  return { mimeType, data: Buffer.from(data).toString('base64') };
}
