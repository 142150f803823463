import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { until } from './until';
import type { Workbench } from './workbench';

/** The chat's agent as its picker shows it. */
export function agentPicker(workbench: Workbench): Locator {
  return workbench.page.locator('.chat-input-toolbars .action-item').filter({ hasText: /Agent/ }).first();
}

/** Waits until the chat goes on with this agent. */
export async function agentIs(workbench: Workbench, name: string): Promise<void> {
  await until(async () => assert.equal((await agentPicker(workbench).innerText()).trim(), name), 40_000);
}

/** What the chat's own list of agents has, as its menu shows it. */
export async function listedAgents(workbench: Workbench): Promise<string> {
  await agentPicker(workbench).click({ timeout: 4000 });
  const rows = workbench.page.locator('.action-widget .monaco-list-row');
  await rows.first().waitFor({ timeout: 4000 });
  const texts = await rows.allInnerTexts();
  await workbench.page.keyboard.press('Escape');
  return texts.map((one) => one.trim()).join(' | ');
}
