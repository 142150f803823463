import { defined, isObject } from '../base/json';
import { say, type Sentence, type SentenceCode, worded } from '../base/sentence';
import { networkPlace, textOf } from '../hosts/networkPlace';

/**
 * What one concrete call touches. Policy judges accesses, so that three tools that write the same file get the same
 * verdict.
 */
export interface Access {
  readonly effect: SideEffect;
  /**
   * What is touched. For `fs.*`: a path relative to the workspace with `/`, prefixed by the folder's name where there
   * are several. For `network.*`: the absolute URL, or the host alone. For `system.exec`: the command line
   * (`system.exec_fetched` runs what came from the network, `system.exec_interactive` reads what nobody here sees). For
   * `database.*`: the connection's name.
   */
  readonly resource: string;
  /** The HTTP method of a `network.http` access, in capitals. GET and HEAD count as reading. */
  readonly method?: string;
  /**
   * Set by a built-in tool for a `network.socket` over which it only reads, as another access of the call says
   * (`database.read`).
   */
  readonly onlyReads?: true;
  /** Facts that policy distinguishes: a recursive delete, a delete that cannot be undone. */
  readonly recursive?: boolean;
  readonly permanent?: boolean;
  /**
   * Set for what an argument only might mean: `written` as it plainly stands in a text, `guessed` where it may as well
   * be something else. Rules that deny judge it (a guess only those that name such places), nothing asks about it, and
   * it is not recorded.
   */
  readonly suspected?: 'written' | 'guessed';
  /**
   * Set beside `suspected` where words stand around the place in a text that is stored, shown or read: rules that spare
   * mentions spare it.
   */
  readonly mentioned?: true;
  /** Set beside `suspected` for what lies below a folder that is taken as a whole, and is named by nothing else. */
  readonly below?: true;
  /**
   * Set beside `below` for a tool that has no options: the argument that takes a glob with `!` for what it leaves out,
   * an empty text where it has none.
   */
  readonly leftOutBy?: string;
}

/**
 * What a yes has to cover: not the reads of what the same call changes, which changing needs. What denies judges them
 * all the same.
 */
export function withoutNeededReads<Of>(all: readonly Of[], accessOf: (one: Of) => Access): readonly Of[] {
  const changed = new Set(
    all.map(accessOf).flatMap(({ effect, resource }) => (/^fs\.(?:write|delete)$/.test(effect) ? [resource] : [])),
  );
  return all.filter((one) => accessOf(one).effect !== 'fs.read' || !changed.has(accessOf(one).resource));
}

/** Reads an access of a record or a file; undefined for what is none. */
export function readAccess(value: unknown): Access | undefined {
  if (!isObject(value)) return undefined;
  const { effect, resource, method, recursive, permanent } = value;
  if (typeof effect !== 'string' || typeof resource !== 'string') return undefined;
  return defined({
    effect,
    resource,
    method: typeof method === 'string' ? method : undefined,
    recursive: recursive === true || undefined,
    permanent: permanent === true || undefined,
  });
}

/** A side effect tag. Tags that are not listed here are kept and matched, never dropped. */
export type SideEffect = string;

export const knownSideEffects = [
  'fs.read',
  'fs.write',
  'fs.delete',
  'fs.chmod',
  'network.http',
  'network.socket',
  'network.dns',
  'cloud.key_read',
  'cloud.key_write',
  'cloud.resource_create',
  'cloud.resource_delete',
  'payments',
  'system.exec',
  'system.exec_fetched',
  'system.exec_interactive',
  'system.env',
  'database.read',
  'database.write',
  'database.delete',
] as const satisfies readonly SideEffect[];

/** The words before the dot of known effects: what kind of place an access touches. */
type EffectFamily = FamilyIn<(typeof knownSideEffects)[number]>;
type FamilyIn<Effect> = Effect extends `${infer Family}.${string}` ? Family : never;

const families: readonly EffectFamily[] = ['fs', 'network', 'cloud', 'system', 'database'];

/** Which kind of place an effect touches; undefined for `payments` and for tags of a family that nobody knows here. */
export function familyOf(effect: SideEffect): EffectFamily | undefined {
  const end = effect.indexOf('.');
  const word = end < 0 ? undefined : effect.slice(0, end);
  return families.find((one) => one === word);
}

const readOnlyEffects: ReadonlySet<string> = new Set(['fs.read', 'database.read', 'network.dns']);

/** Tells whether an access changes what lies in a file or folder. */
export const changesFile = ({ effect }: Access): boolean => effect === 'fs.write' || effect === 'fs.delete';

/** Tells whether an access only reads, which is what plan mode lets through. */
export function isReadOnly(access: Access): boolean {
  if (readOnlyEffects.has(access.effect)) return true;
  if (access.effect === 'network.socket') return access.onlyReads === true;
  return access.effect === 'network.http' && (access.method === 'GET' || access.method === 'HEAD');
}

/**
 * The host of a network access in its one canonical form, IPv6 in brackets; undefined where the resource names none
 * that can be read.
 */
export function accessHost(access: Access): string | undefined {
  if (familyOf(access.effect) !== 'network') return undefined;
  const host = networkPlace(access.resource).hosts.find((one) => one.type !== 'invalid');
  if (host?.type === 'address') return host.family === 6 ? `[${host.address}]` : host.address;
  return host?.type === 'name' ? host.name : undefined;
}

/** Every host that a network access may mean, in canonical form; undefined where one cannot be read. */
export function accessHosts(access: Access): readonly string[] | undefined {
  if (familyOf(access.effect) !== 'network') return [];
  const { hosts } = networkPlace(access.resource);
  const texts = hosts.flatMap((one) => textOf(one) ?? []);
  return texts.length === hosts.length && texts.length > 0 ? texts : undefined;
}

/** Says an access in plain English: `change src/app.ts`. */
export const describeAccess = ({ effect, resource }: Access): string => worded(actionSaid(effect, resource));

const actions = {
  'fs.read': 'to_read',
  'fs.write': 'to_change',
  'fs.delete': 'to_delete',
  'fs.chmod': 'to_change_permissions',
  'network.http': 'to_contact',
  'network.socket': 'to_connect',
  'network.dns': 'to_look_up',
  'system.exec': 'to_run',
  'system.exec_fetched': 'to_run_fetched',
  'system.exec_interactive': 'to_open_shell',
  'system.env': 'to_read_variable',
  'database.read': 'to_query',
  'database.write': 'to_write_to_database',
  'database.delete': 'to_delete_from_database',
  payments: 'to_pay_through',
} as const satisfies Readonly<Record<SideEffect, SentenceCode>>;

/** What is done to an object; `shown` is how an effect is written that has no verb of its own. */
export function actionSaid(effect: SideEffect, object: string | Sentence, shown: string = effect): Sentence {
  return Object.hasOwn(actions, effect)
    ? say(actions[effect as keyof typeof actions], object)
    : say('to_use_effect', shown, object);
}
