import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { publishDriver, type Driver } from './api';
import { startControl } from './control';
import { ScriptedModel } from './model';
import type { Plan } from './plan';
import { runAgentTurn } from './turn';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const plan = JSON.parse(readFileSync(join(context.extensionPath, 'plan.json'), 'utf8')) as Plan;
  const model = new ScriptedModel();
  const driver: Driver = { plan, model, context, runAgentTurn: (turn) => runAgentTurn(model, turn) };
  publishDriver(driver);
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider(ScriptedModel.vendor, model), await startControl(driver));
}
