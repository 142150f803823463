import { lazy } from '../core/base/lazy';
import type { DatabaseClient } from '../core/ports/databases';
import type { MailClient } from '../core/ports/mail';
import type { Prober } from '../core/ports/prober';
import type { ProgramRunner } from '../core/ports/programs';
import type { HttpClient } from '../core/ports/http';
import type { WorkerPool } from '../core/ports/platform';
import type { HttpClientOptions } from './http/client';
import type { NodeProberOptions } from './prober';

// Ports whose code is loaded with their first use, so that the start of the editor does not wait for it.

export function lateProgramRunner(environment: NodeJS.ProcessEnv): ProgramRunner {
  return {
    run: async (request) => (await import('./programs/programRunner')).createProgramRunner(environment).run(request),
  };
}

export function lateHttpClient(options: HttpClientOptions): HttpClient {
  const client = lazy(async (): Promise<Required<HttpClient>> =>
    (await import('./http/client')).createHttpClient(options),
  );
  return {
    send: async (request) => (await client()).send(request),
    fetch: async (request, maxBytes) => (await client()).fetch(request, maxBytes),
  };
}

export function lateDatabaseClient(sqlite: WorkerPool): DatabaseClient {
  const client = async (): Promise<DatabaseClient> =>
    (await import('./databases/databaseClient')).createDatabaseClient(sqlite);
  return {
    query: async (connection, query) => (await client()).query(connection, query),
    foresee: async (connection, query) => (await client()).foresee?.(connection, query),
    tables: async (connection, signal) => (await client()).tables(connection, signal),
  };
}

export function lateProber(parts: NodeProberOptions): Prober {
  return {
    probe: async (requirement, probe, signal) =>
      (await import('./prober')).createNodeProber(parts).probe(requirement, probe, signal),
  };
}

export function lateMailClient(): MailClient {
  return {
    send: async (server, message, signal) =>
      (await import('./mail/smtpClient')).createMailClient().send(server, message, signal),
  };
}
