import type { Access } from '../../vocabulary/access';
import { permissionReasons, type Reason, reasonKey } from '../../vocabulary/decision';
import type { ActorType } from '../../vocabulary/toolDefinition';
import { sourceKind } from '../../vocabulary/toolSource';
import type { RegisteredTool } from '../../registry/registry';
import { coverTest, type GrantedAccess, literalGlob, sharedFolder } from './grantPattern';

/** True for a tool of ours that only changes the files that it names, all of which one grant may cover. */
export function changesFiles({ source, definition }: Pick<RegisteredTool, 'source' | 'definition'>): boolean {
  return sourceKind(source).isOurs === true && definition.changesFiles === true;
}

/**
 * What a yes to all file changes below a folder covers: writes and deletes of what lies in it, and the reads that they
 * need, neither the folder itself, nor a folder with its content, nor past the trash.
 */
function changesBelow(folder: string): readonly GrantedAccess[] {
  const pattern = `${literalGlob(folder)}/**/*`;
  return [
    { effect: 'fs.read', pattern },
    { effect: 'fs.write', pattern },
    { effect: 'fs.delete', pattern },
  ];
}

/** Tests that all accesses lie in what such a yes covers. Links are judged at both ends, so none leads out of it. */
export const areBelow = (folder: string): ((accesses: readonly Access[]) => boolean) => coverTest(changesBelow(folder));

/** A call about which a person is asked. */
interface Asked {
  readonly tool: Pick<RegisteredTool, 'source' | 'definition'>;
  readonly actor: ActorType;
  readonly accesses: readonly Access[];
  readonly reasons: readonly Reason[];
}

/**
 * The folders below which all file changes may be allowed in answer to a call, the nearest first. None where a rule
 * asks as well: such a yes answers the permission of the tools alone, so that every rule goes on asking.
 */
export function grantableFolders({ tool, actor, accesses, reasons }: Asked): readonly string[] {
  if (!changesFiles(tool)) return [];
  const asking = reasons.filter((one) => !one.advisory);
  if (asking.some((one) => one.admin === true || reasonKey(one) !== permissionReasons[actor])) return [];
  const shared = sharedFolder(accesses.map(({ resource }) => resource));
  return shared
    .map((_, at) => shared.slice(0, at + 1).join('/'))
    .filter((folder) => folder !== '' && areBelow(folder)(accesses))
    .reverse();
}
