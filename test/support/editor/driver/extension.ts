import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { publishDriver, type Driver } from './api';
import { startControl } from './control';
import { ScriptedModel } from './model';
import { PLAN_FILE, RUN_FOLDER_VARIABLE, type Plan } from './plan';
import { runAgentTurn } from './turn';

function readPlan(extensionPath: string): Plan {
  const own = join(extensionPath, PLAN_FILE);
  const file = existsSync(own) ? own : join(process.env[RUN_FOLDER_VARIABLE] ?? extensionPath, PLAN_FILE);
  return JSON.parse(readFileSync(file, 'utf8')) as Plan;
}

// It is for the editor; programs that extensions start get the environment that they have elsewhere.
delete process.env['NODE_COMPILE_CACHE'];

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const plan = readPlan(context.extensionPath);
  const model = new ScriptedModel();
  const driver: Driver = { plan, model, context, runAgentTurn: (turn) => runAgentTurn(model, turn) };
  publishDriver(driver);
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider(ScriptedModel.vendor, model),
    await startControl(driver),
  );
}
