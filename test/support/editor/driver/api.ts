import type * as vscode from 'vscode';
import type { Plan } from './plan';
import type { ScriptedModel } from './model';
import type { AgentTurn, AgentTurnResult } from './turn';

/** What suites inside the extension host use; there is one in each host, shared by bundles that were built apart. */
export interface Driver {
  plan: Plan;
  model: ScriptedModel;
  runAgentTurn(turn: AgentTurn): Promise<AgentTurnResult>;
  context: vscode.ExtensionContext;
}

const KEY = Symbol.for('agent-capabilities.test-driver');

export function publishDriver(driver: Driver): void {
  (globalThis as Record<symbol, unknown>)[KEY] = driver;
}

export function driver(): Driver {
  const found = (globalThis as Record<symbol, unknown>)[KEY] as Driver | undefined;
  if (!found) throw new Error('the test driver is not active: this suite has to run inside the extension host');
  return found;
}
