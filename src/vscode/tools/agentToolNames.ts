import type { RegisteredTool } from '../../core/registry/registry';
import { referenceName } from '../manifest/tools';
import { sourceKind } from '../../core/vocabulary/toolSource';

/** The name of the window's loopback server in the editor. */
export const serverLabel = 'Agent Capabilities';
/** The editor names a server's tools by its label in lower case with dashes. */
const serverReference = 'agent-capabilities';

/** True for a tool that reaches agent mode through the loopback server: no manifest declares it. */
export function isRunTime(tool: RegisteredTool): boolean {
  return !sourceKind(tool.source).isInManifest && tool.definition.editorNames === undefined;
}

/** A tool's names in `.agent.md`, in every form that the editor's harnesses need. */
export function agentToolNames(tool: RegisteredTool, extensionId: string): readonly string[] {
  if (tool.definition.editorNames) return tool.definition.editorNames;
  if (isRunTime(tool)) return [`${serverReference}/${tool.modelName}`];
  const name = referenceName(tool.definition);
  return [`${extensionId}/${name}`, name];
}
