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
