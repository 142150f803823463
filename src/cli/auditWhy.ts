import { canonicalJson } from '../core/base/json';
import { saidBy, worded } from '../core/base/sentence';
import { openBundle, type OpenedBundle } from '../core/bundles/openBundle';
import type { AuditRecord } from '../core/audit/record';
import { parseBoundaries } from '../core/policy/rules/parse';
import { ruleWords } from '../core/vocabulary/ruleWords';
import { describeAccess } from '../core/vocabulary/access';
import { FolderReader } from '../node/audit/folderReader';
import { ed25519 } from '../node/bundles/ed25519';
import { nodeCrypto } from '../node/system';
import { auditKey } from './auditSink';
import { type CliArgs, type CliIo, outJson, UsageError } from './args';
import { publicKeyOf, readBytes } from './bundleFiles';

/** A rule that a record names, with what the bundle says of it. */
interface NamedRule {
  readonly id: string;
  /** The rule as the bundle holds it; absent where it is none of its rules. */
  readonly rule?: unknown;
  readonly reason?: string;
}

/**
 * `audit why DIR --call ID [--bundle FILE --public-key KEY] [--json]`: why a call went as it did, from the record alone
 * and the signed bundle that was in force. Nothing of the policy of today is asked. Exit 1 where the record is broken,
 * has no such call, or names another bundle.
 */
export async function runAuditWhy(dir: string, args: CliArgs, io: CliIo): Promise<number> {
  const id = args.value('call');
  if (id === undefined) throw new UsageError('`audit why` needs `--call ID`; `audit query` shows the ids of calls');
  const opened = bundleOf(args, io);
  if (opened === 'refused') return 1;
  const reader = new FolderReader(dir, auditKey(io));
  const records: AuditRecord[] = [];
  for await (const { record } of reader.all({})) if (record['gen_ai.tool.call.id'] === id) records.push(record);
  const last = records.findLast(({ outcome }) => outcome !== undefined) ?? records.at(-1);
  if (!last) {
    io.error(`the record holds no call \`${id}\``);
    return 1;
  }
  const proof = await reader.verify();
  const named = last['policy.bundles'] ?? [];
  const isIt = opened && named.includes(`${opened.bundle.name} ${opened.bundle.revision} ${opened.hash}`);
  const rules = namedRules(records, isIt ? opened : undefined);
  if (args.has('json')) outJson(io, { call: id, records, rules, chain: proof.ok, ...(opened ? { bundle: isIt } : {}) });
  else for (const line of lines(last, records, rules)) io.out(line);
  if (!proof.ok) io.error('the record is broken; `audit verify` names where');
  if (opened && !isIt)
    io.error(
      `the record names ${named.length === 0 ? 'no bundle' : named.join(', ')}, not ${opened.bundle.name} ${opened.bundle.revision} ${opened.hash}`,
    );
  return proof.ok && isIt !== false ? 0 : 1;
}

function bundleOf(args: CliArgs, io: CliIo): OpenedBundle | 'refused' | undefined {
  const file = args.value('bundle');
  const key = publicKeyOf(args);
  if (file === undefined && key) throw new UsageError('`--public-key` needs `--bundle FILE`, which it vouches for');
  if (file === undefined) return undefined;
  if (!key) throw new UsageError('`--bundle` needs `--public-key KEY`, without which nothing vouches for it');
  try {
    return openBundle(readBytes(file), { key, crypto: nodeCrypto, signatures: ed25519 });
  } catch (error) {
    io.error(`refused: ${worded(saidBy(error))}`);
    return 'refused';
  }
}

/** The rules that spoke, with their words where the bundle has them: all that have the id. */
function namedRules(records: readonly AuditRecord[], opened: OpenedBundle | undefined): readonly NamedRule[] {
  const ids = new Set(
    records.flatMap(({ rules = [], steps = [] }) => [
      ...rules,
      ...steps.flatMap(({ reasons = [], waived = [] }) => [...waived, ...reasons.flatMap(({ rule }) => rule ?? [])]),
    ]),
  );
  const raw = opened?.bundle.settings['policy.boundaries'];
  const parsed = parseBoundaries(raw, 'bundle').value;
  return [...ids].flatMap((id): readonly NamedRule[] => {
    // Several of one id all hold.
    const found = parsed.flatMap((rule, at) =>
      rule.id === id
        ? { id, rule: Array.isArray(raw) ? raw[at] : rule, reason: worded(ruleWords(rule, rule.reason).reason) }
        : [],
    );
    return found.length > 0 ? found : [{ id }];
  });
}

function lines(last: AuditRecord, records: readonly AuditRecord[], rules: readonly NamedRule[]): readonly string[] {
  const steps = (records.findLast((one) => one.steps !== undefined) ?? last).steps ?? [];
  return [
    `${last['gen_ai.tool.name'] ?? last.tool ?? ''} by ${last.actor ?? ''} at ${last.time}: ${last.outcome ?? last.event}`,
    ...(last.accesses ?? []).map((access) => `  to ${describeAccess(access)}`),
    ...steps.flatMap(({ step, effect, reasons = [] }) => [
      `${step}: ${effect}`,
      ...reasons.map(({ rule, text }) => `  ${rule === undefined ? '' : `${rule}: `}${text}`),
    ]),
    ...records.flatMap((one) => (one['approval.by'] === undefined ? [] : [`answered by ${one['approval.by']}`])),
    `policy ${last.policy ?? 'not named'}`,
    ...(last['policy.bundles'] ?? []).map((one) => `bundle ${one}`),
    ...rules.map(({ id, rule }) => `rule ${id}: ${rule === undefined ? 'none of the bundle' : canonicalJson(rule)}`),
  ];
}
