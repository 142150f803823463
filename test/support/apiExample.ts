import * as vscode from 'vscode';
import type { AgentCapabilitiesApi } from '../../src/app/api';

// A whole extension that gives agents one tool.
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const extension = vscode.extensions.getExtension<AgentCapabilitiesApi>('agent-capabilities.agent-capabilities');
  const api = await extension?.activate();
  if (api?.version !== 1) return;
  context.subscriptions.push(
    await api.registerCapability(context.extension.id, {
      id: 'dice',
      version: '1.0.0',
      name: 'Dice',
      description: 'Rolls dice',
      icon: 'symbol-numeric',
      systemPrompt: 'Roll dice instead of inventing numbers.',
      tools: [
        {
          name: 'roll_dice',
          title: 'Roll Dice',
          kind: 'data',
          modelDescription: 'Roll dice and return each result and the sum. Use it whenever chance decides.',
          userDescription: 'Rolls dice',
          inputSchema: {
            type: 'object',
            properties: { count: { type: 'integer', minimum: 1, maximum: 100 } },
            required: ['count'],
            additionalProperties: false,
          },
          riskLevel: 'low',
          sideEffects: [],
          idempotent: true,
          run: async ({ count }: { count: number }) => {
            const rolls = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 6));
            return { rolls, sum: rolls.reduce((sum, roll) => sum + roll, 0) };
          },
        },
      ],
    }),
  );
  const result = await api.invokeTool(context.extension.id, 'roll_dice', { count: 2 });
  // Off until a person switches the capability on: { success: false, code: 'not_enabled', … }
  console.log(result.success ? result.payload : result.message);
}
