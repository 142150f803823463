import { isObject } from '../../base/json';
import { deny } from '../../call/stepAnswer';
import type { RegisteredTool } from '../../registry/registry';
import type { StepAnswer } from '../../vocabulary/decision';
import { circuitOpen, type ErrorCode } from '../../vocabulary/errors';
import type { ToolResult } from '../../vocabulary/toolResult';
import type { LimitSettings } from './limitSettings';

/** Failures that say something about the tool's health; a wrong path or a refused host say nothing. */
const unhealthy: ReadonlySet<ErrorCode> = new Set([
  'internal_error',
  'timeout',
  'network_error',
  'mcp_error',
  'process_error',
  'sandbox_error',
  'database_error',
  'email_error',
  'invalid_output',
]);

/** Codes of calls that never reached the tool. */
const gateCodes: ReadonlySet<ErrorCode> = new Set([
  'declined',
  'approval_timeout',
  'approval_unavailable',
  'cancelled',
  'denied_by_policy',
  'permission_denied',
]);

/** Closed lets calls through; open lets none through until its time; then one call tries whether the tool works. */
type Circuit =
  | { readonly state: 'closed'; readonly failures: number }
  | { readonly state: 'open' | 'trying'; readonly failures: number; readonly until: number };

/** Lets a tool rest that fails again and again. */
export class CircuitBreakers {
  readonly #circuits = new Map<string, Circuit>();

  denial({ id, modelName }: RegisteredTool, now: number): StepAnswer | undefined {
    const circuit = this.#circuits.get(id);
    if (!circuit || circuit.state === 'closed') return undefined;
    if (now < circuit.until) return deny('limits', circuitOpen(modelName, circuit.until - now), 'limit.circuit');
    return circuit.state === 'trying' ? deny('limits', circuitOpen(modelName, 1000), 'limit.circuit') : undefined;
  }

  /** A call that goes through an open circuit whose time is over is the one that tries. */
  started(toolId: string): void {
    const circuit = this.#circuits.get(toolId);
    if (circuit?.state === 'open') this.#circuits.set(toolId, { ...circuit, state: 'trying' });
  }

  /** True where what is to be stored has changed. */
  finished(toolId: string, result: ToolResult, layers: readonly LimitSettings[], now: number): boolean {
    const rules = layers.map((one) => one.circuit).filter((one) => one.failures > 0);
    if (rules.length === 0) return false;
    const circuit = this.#circuits.get(toolId) ?? { state: 'closed', failures: 0 };
    if (result.success || !unhealthy.has(result.error.code)) {
      // A call that was refused or cancelled says nothing about the tool; it only gives the trial back.
      if (result.success || !gateCodes.has(result.error.code)) return this.#circuits.delete(toolId);
      if (circuit.state === 'trying') this.#circuits.set(toolId, { ...circuit, state: 'open' });
      return false;
    }
    const failures = circuit.failures + 1;
    const tripped = rules.filter((one) => failures >= one.failures);
    if (tripped.length > 0) {
      const until = now + Math.max(...tripped.map((one) => one.cooldownSeconds)) * 1000;
      this.#circuits.set(toolId, { state: 'open', failures, until });
    } else if (circuit.state === 'closed') this.#circuits.set(toolId, { state: 'closed', failures });
    else this.#circuits.set(toolId, { state: 'open', failures, until: circuit.until });
    return true;
  }

  stored(toWall: (at: number) => number): Readonly<Record<string, { failures: number; openUntil: number }>> {
    const stored: Record<string, { failures: number; openUntil: number }> = {};
    for (const [id, circuit] of this.#circuits)
      stored[id] = {
        failures: circuit.failures,
        openUntil: circuit.state === 'closed' ? 0 : toWall(circuit.until),
      };
    return stored;
  }

  /** A stored rest is never longer than the longest that the limits allow now. */
  load(stored: unknown, layers: readonly LimitSettings[], now: number, wall: number): void {
    const longest = Math.max(...layers.map((layer) => layer.circuit.cooldownSeconds)) * 1000;
    for (const [id, one] of Object.entries(isObject(stored) ? stored : {})) {
      if (!isObject(one)) continue;
      const { failures, openUntil } = one;
      if (typeof failures !== 'number' || typeof openUntil !== 'number') continue;
      const until = now + Math.min(longest, Math.max(0, openUntil - wall));
      this.#circuits.set(id, openUntil === 0 ? { state: 'closed', failures } : { state: 'open', failures, until });
    }
  }
}
