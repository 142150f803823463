import type { Translate } from '../base/translate';
import type { ToolSource } from '../vocabulary/toolSource';

/** Where a capability comes from, in words for people. */
export function sourceWords(source: ToolSource, t: Translate): string {
  switch (source.type) {
    case 'builtin':
      return t('Built in');
    case 'definition':
      return t('Definitions');
    case 'extension':
      return t('Extension {0}', source.extensionId);
    case 'mcp':
      return t('MCP server {0}', source.server);
    case 'channel':
      return t('Channel {0}', source.channel);
    case 'host':
      return t('Agent {0}', source.agent);
  }
}
