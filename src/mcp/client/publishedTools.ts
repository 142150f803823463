import type { Sentence } from '../../core/base/sentence';
import { type Disposable, MutableDisposable } from '../../core/base/lifecycle';
import type { ListedTool } from '../../core/foreign/foreignList';
import type { Pin } from '../../core/foreign/pins';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import type { CallTarget } from './callTool';
import type { McpClientPorts } from './clientPorts';
import type { ServerOffers } from './connection';
import { provenanceOf } from './provenance';
import { nothing, readOffers } from './serverContents';
import { capabilityOf } from './serverTools';

/** The capability of one server: in the registry as long as its tools are approved. */
export class PublishedTools implements Disposable {
  readonly #ports: McpClientPorts;
  readonly #target: CallTarget;
  readonly #registration = new MutableDisposable<Disposable>();
  #text = '';
  #approved: readonly ListedTool[] | undefined;
  #faults: readonly Sentence[] = [];
  #count = 0;

  constructor(ports: McpClientPorts, target: CallTarget) {
    this.#ports = ports;
    this.#target = target;
  }

  /** The tools that were approved, where they are known: nothing else is ever offered. */
  get approved(): readonly ListedTool[] | undefined {
    return this.#approved;
  }

  /** What the registry cannot hold. */
  get faults(): readonly Sentence[] {
    return this.#faults;
  }

  get count(): number {
    return this.#count;
  }

  get isRegistered(): boolean {
    return this.#registration.value !== undefined;
  }

  /**
   * Puts the approved tools into the registry, where they are others than before; says whether they are.
   *
   * @param offers what the running server offers beside tools; what it offered last where it does not run.
   * @throws where the registry takes none of them.
   */
  publish(
    spec: McpServerSpec,
    pin: Pin | undefined,
    listed: readonly ListedTool[] | undefined,
    offers: ServerOffers | undefined,
  ): boolean {
    const tools = listed ?? pin?.tools ?? [];
    this.#approved = pin ? tools : undefined;
    const kept = `mcp.offers.${spec.name}`;
    if (offers) void this.#ports.storage.set(kept, { ...offers });
    const made = capabilityOf(spec, tools, {
      hintsConfirmed: pin?.hintsConfirmed === true,
      provenance: provenanceOf(spec, pin, this.#ports.crypto),
      offers: tools.length > 0 ? (offers ?? readOffers(this.#ports.storage.get(kept))) : nothing,
      target: this.#target,
      ports: this.#ports,
    });
    this.#faults = made.faults;
    const text = JSON.stringify([made.capability.provenance, made.capability.tools.map((tool) => tool.definition)]);
    if (text === this.#text && this.isRegistered) return false;
    this.#text = text;
    this.#count = 0;
    this.#registration.value = undefined;
    this.#registration.value = this.#ports.registry.register(made.capability);
    this.#count = made.capability.tools.length;
    return true;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
