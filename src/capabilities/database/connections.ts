import { type ConfiguredDatabase, readConnection } from '../../core/settings/databaseConnection';
import { settingId } from '../../core/settings/settingTable';
import { say } from '../../core/base/sentence';
import type { Json } from '../../core/base/json';
import { Findings } from '../../core/base/jsonReader';
import { didYouMean } from '../../core/base/nearest';
import type { AccessContext, SetupContext } from '../../core/capability/tool';
import { resolvePath } from '../../core/files/paths';
import { missingPort, missingSecrets } from '../../core/ports/need';
import { errorSaid, notAvailable, toolError } from '../../core/vocabulary/errors';
import type { Missing } from '../../core/vocabulary/missing';

/** The scope without which nothing is ever written. */
export const writeScope = 'database:write';
/** Where the embedded database lies when the settings name none. */
const defaultFile = '.vscode/agent.sqlite';

function configured(name: string, raw: Json | undefined): ConfiguredDatabase {
  const read = readConnection(name, raw, new Findings({ code: 'invalid_setting', nullIsWrong: true }));
  if (read) return read;
  throw notAvailable('db_query', say('connection_unusable', name));
}

/** The connection of a call; without a name the one called `default`, else the first. */
export function chosen(wanted: string | undefined, context: Pick<AccessContext, 'ports'>): ConfiguredDatabase {
  const connections = context.ports.settings.get('database.connections');
  const names = Object.keys(connections);
  const name = wanted ?? (names.includes('default') || names.length === 0 ? 'default' : names[0]) ?? 'default';
  if (Object.hasOwn(connections, name)) return configured(name, connections[name]);
  if (name === 'default') return { type: 'sqlite', name, path: defaultFile };
  throw toolError(
    'not_found',
    `there is no database connection \`${name}\`${didYouMean(name, names)}; known are ${[...names, 'default'].map((one) => `\`${one}\``).join(', ')}`,
  );
}

/** What the default connection lacks; nothing where another one lacks nothing. */
export async function missing(context: SetupContext): Promise<readonly Missing[]> {
  const { databases, settings } = context.ports;
  const lacks = async (name?: string): Promise<readonly Missing[]> => {
    try {
      return await missingIn(chosen(name, context), context);
    } catch (error) {
      return [{ kind: 'setting', name: settingId('database.connections'), why: errorSaid(error) }];
    }
  };
  const names = Object.keys(settings.get('database.connections'));
  const [first, ...others] = await Promise.all([lacks(), ...names.map(lacks)]);
  const isUsable = others.some((one) => one.length === 0);
  return [...missingPort(databases, 'databases'), ...(isUsable ? [] : (first ?? []))];
}

async function missingIn(connection: ConfiguredDatabase, { ports, scopes }: SetupContext): Promise<readonly Missing[]> {
  if (connection.type === 'postgres')
    return missingSecrets(connection.secret === undefined ? [] : [connection.secret], ports.secrets);
  // Who may write makes it with the first statement.
  if (connection.path === ':memory:' || scopes.includes(writeScope)) return [];
  const stat = await ports.files.stat(await resolvePath(ports.files, connection.path));
  if (stat) return [];
  const { path } = connection;
  return [
    {
      kind: 'file',
      name: path,
      why: say('database_absent', path, writeScope),
    },
  ];
}
