/** Options of `hook install`, `hook uninstall` and `hook status`. */
export const hookAgentOptions: Readonly<Record<string, boolean>> = {
  agent: true,
  workspace: true,
  home: true,
  private: true,
  json: false,
  'dry-run': false,
};

export const hookAgentUsage =
  'hook install|uninstall|status [--agent AGENT] [--workspace DIR] [--home DIR] [--private DIR] [--dry-run] [--json]';
