import * as vscode from 'vscode';
import type { Event } from '../../core/base/event';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { CapabilityRegistry } from '../../core/registry/registry';
import { serverRows } from '../../core/present/serverRows';
import type { MoreRows } from '../tree/capabilityView';
import type { ServerList } from './serverCommand';

interface ShownServers {
  readonly servers: Pick<ServerList, 'list'> & { readonly onDidChange: Event<void> };
  readonly registry: CapabilityRegistry;
  readonly profiles: Pick<ProfileStore, 'active'>;
}

/** The group "MCP servers" of the Capabilities view. */
export function serversInTree({ servers, registry, profiles }: ShownServers): MoreRows {
  return {
    rows: () => {
      const profile = profiles.active();
      return serverRows({
        servers: servers.list(),
        tools: (capabilityId) => ({
          isOn: profile.entries.some((one) => one.capability.id === capabilityId && one.entry.enabled),
          tools: registry.toolsOf(capabilityId).map((tool) => ({ tool, enabled: profile.isToolEnabled(tool) })),
        }),
        mode: profile.mode,
        t: vscode.l10n.t,
      });
    },
    changes: [servers.onDidChange],
  };
}

/** Several groups below the capabilities, one after the other. */
export function allRows(...parts: readonly MoreRows[]): Required<MoreRows> {
  return {
    rows: () => parts.flatMap((part) => part.rows?.() ?? []),
    problems: () => parts.flatMap((part) => part.problems?.() ?? []),
    changes: parts.flatMap((part) => part.changes),
  };
}
