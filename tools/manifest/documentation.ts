import type { Capability } from '../../src/core/capability/capability';

/** The README's table of the built-in capabilities, made from the definitions like the manifest. */
export function capabilityTable(capabilities: readonly Capability[]): string {
  const rows = capabilities.map((capability) => {
    const tools = capability.tools.map(({ definition }) => {
      const asks = definition.permissions.agent === 'confirmation_required' ? ' (asks)' : '';
      return `\`${definition.name}\`${asks}`;
    });
    return `| ${capability.name} | \`${capability.id}\` | ${capability.summary ?? capability.description} | ${tools.join(', ') || '–'} |`;
  });
  return ['| capability | id | for | tools |', '|---|---|---|---|', ...rows].join('\n');
}
