import { canonicalJson } from '../base/json';
import type { Disposable } from '../base/lifecycle';
import { type Problem, problem } from '../base/problem';
import type { Capability } from '../capability/capability';
import { errorSaid } from '../vocabulary/errors';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';
import { hashesOf } from './boundFiles';
import type { BuiltCapability } from './build';
import { startOf } from './definitionFiles';

/** What of the registry comes from definitions. */
export class DefinitionRegistrations implements Disposable {
  readonly #registry: CapabilityRegistry;
  readonly #registered = new Map<string, { readonly signature: string; readonly registration: Disposable }>();
  #isChanging = false;

  constructor(registry: CapabilityRegistry) {
    this.#registry = registry;
  }

  /** True while the registry changes because of us. */
  get isChanging(): boolean {
    return this.#isChanging;
  }

  signature(capabilityId: string): string | undefined {
    return this.#registered.get(capabilityId)?.signature;
  }

  has(capabilityId: string): boolean {
    return this.#registered.has(capabilityId);
  }

  /** A capability that is not one of ours. */
  foreignCapability(id: string): Capability | undefined {
    return this.has(id) ? undefined : this.#registry.capability(id);
  }

  foreignTool(reference: string): RegisteredTool | undefined {
    const tool = this.#registry.tool(reference);
    return tool && this.has(tool.capability.id) ? undefined : tool;
  }

  /** Registers what is new or changed, lets go of what is gone, and leaves the rest alone. */
  sync(built: readonly BuiltCapability[]): readonly Problem[] {
    const wanted = new Map(
      built.map(({ capability, spec: { tools, files, file } }) => {
        const signature = canonicalJson({
          capability: { ...capability, tools: capability.tools.map((tool) => tool.definition) },
          handlers: tools.map((tool) => [tool.handler, tool.accesses]),
          contents: hashesOf(files),
        });
        return [capability.id, { capability, signature, file }];
      }),
    );
    const problems: Problem[] = [];
    this.#isChanging = true;
    try {
      for (const [id, { registration, signature }] of this.#registered)
        if (wanted.get(id)?.signature !== signature) {
          registration.dispose();
          this.#registered.delete(id);
        }
      for (const [id, { capability, signature, file }] of wanted)
        if (!this.has(id))
          try {
            this.#registered.set(id, { signature, registration: this.#registry.register(capability) });
          } catch (error) {
            const said = errorSaid(error);
            problems.push(
              problem({ severity: 'error', code: 'invalid_definition', said, subject: id, ...startOf(file) }),
            );
          }
    } finally {
      this.#isChanging = false;
    }
    return problems;
  }

  dispose(): void {
    this.sync([]);
  }
}
