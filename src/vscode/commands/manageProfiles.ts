import * as vscode from 'vscode';
import { shortName } from '../visible';
import type { Profile } from '../../core/profiles/profile';
import type { SaveTarget } from '../../core/profiles/profileEditor';
import { exportProfile as exportText, profileIdFor, readProfileFile } from '../../core/profiles/profileFile';
import { profileWords, shippedProfiles } from '../../core/profiles/shippedProfiles';
import { grantLines } from '../../core/present/allowanceWords';
import { worded } from '../../core/base/sentence';
import { moreLines } from '../confirm/widerCalls';
import { startingIn } from '../files/fileText';
import type { CommandContext, CommandHandler } from './context';
import { profileFrom } from './profiles';
import { wideningOf } from './rows';
import { showInformation, showWarning } from '../notices';

async function askName(title: string, value: string): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title,
    value,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('A name is needed') : undefined),
  });
  return name?.trim();
}

async function add(
  context: Pick<CommandContext, 'editor' | 'profiles'>,
  profile: Profile,
  label: string,
  place?: SaveTarget,
): Promise<string> {
  await context.editor.put(profile, label, place);
  const problem = context.profiles.activate(profile.id);
  if (problem) throw new Error(worded(problem.said, vscode.l10n.t));
  return profile.id;
}

/** A program that gives the name gets an empty one among the person's own. */
export const newProfile: CommandHandler<'editor' | 'profiles' | 'registry' | 'view'> = async (context, ...args) => {
  const isGiven = typeof args[0] === 'string';
  const name = typeof args[0] === 'string' ? args[0] : await askName(vscode.l10n.t('Name of the new profile'), '');
  if (!name) return undefined;
  const start = isGiven ? {} : await chooseStart(context, name);
  if (!start) return undefined;
  const empty = { description: '', systemPrompt: '', mode: 'execute', capabilities: [] } as const;
  const label = vscode.l10n.t('new profile {0}', name);
  return addWhere(context, { ...empty, ...start, name }, label, isGiven ? 'user' : undefined);
};

/** Adds a profile where the person wants it, under another id where its own is taken, and says where it went. */
async function addWhere(
  context: Pick<CommandContext, 'editor' | 'profiles'>,
  made: Omit<Profile, 'id' | 'origin'> & { readonly id?: string },
  label: string,
  wanted?: SaveTarget,
): Promise<string | undefined> {
  const { name } = made;
  const place = wanted ?? (await choosePlace(name));
  if (!place) return undefined;
  const before = context.profiles.activeId;
  const all = context.profiles.profiles();
  const id = made.id === undefined || all.has(made.id) ? profileIdFor(name, all) : made.id;
  await add(context, { ...made, origin: place, id }, label, place);
  const told =
    place === 'user'
      ? vscode.l10n.t('The profile "{0}" is made and active. It stands in your user settings.', shortName(name))
      : vscode.l10n.t(
          'The profile "{0}" is made and active. It stands in the settings of this workspace.',
          shortName(name),
        );
  void offerUndo(context, told, { label, steps: 1 }, () => (context.profiles.activeId === id ? before : undefined));
  return id;
}

/** Whose a new profile is. Only a trusted workspace can have one of its own. */
async function choosePlace(name: string): Promise<SaveTarget | undefined> {
  if (!vscode.workspace.workspaceFolders?.length || !vscode.workspace.isTrusted) return 'user';
  const places = [
    {
      label: `$(account) ${vscode.l10n.t('Yours')}`,
      description: vscode.l10n.t('in your user settings, for every workspace'),
      place: 'user',
    },
    {
      label: `$(organization) ${vscode.l10n.t("This Workspace's")}`,
      description: vscode.l10n.t('in the settings of the workspace, shared with the team'),
      place: 'workspace',
    },
  ] as const;
  const title = vscode.l10n.t('Whose is "{0}"?', shortName(name));
  return (await vscode.window.showQuickPick(places, { title }))?.place;
}

/**
 * What a new profile begins with: nothing, what is picked, or what another one has. Undefined where the person left.
 */
async function chooseStart(
  { profiles, registry, view }: Pick<CommandContext, 'profiles' | 'registry' | 'view'>,
  name: string,
): Promise<Partial<Profile> | undefined> {
  const active = profiles.active();
  const others = [...profiles.profiles().values()]
    .sort((one, other) => Number(other.profile.id === active.id) - Number(one.profile.id === active.id))
    .map(({ profile }) => {
      const shown = profileWords(profile, vscode.l10n.t);
      return {
        label: vscode.l10n.t('Like {0}', shown.name),
        description: profile.mode,
        detail: shown.description,
        start: async (): Promise<Partial<Profile> | undefined> => profile,
      };
    });
  const own = [
    {
      label: vscode.l10n.t('Choose Capabilities…'),
      description: '',
      detail: vscode.l10n.t('Begins with those that you check'),
      start: async (): Promise<Partial<Profile> | undefined> => {
        const items = registry
          .capabilities()
          .filter((one) => one.status !== 'coming_soon' && view.isShown(one))
          .map(({ id, name: label, description }) => ({ label, detail: description, id }));
        const picked = await vscode.window.showQuickPick(items, {
          title: vscode.l10n.t('Capabilities of {0}', name),
          canPickMany: true,
          matchOnDetail: true,
        });
        return picked && { capabilities: picked.map(({ id }) => ({ ref: id, enabled: true, tools: {}, config: {} })) };
      },
    },
    {
      label: vscode.l10n.t('Empty'),
      description: '',
      detail: vscode.l10n.t('Begins with no tools and no prompt'),
      start: async (): Promise<Partial<Profile> | undefined> => ({}),
    },
  ];
  const picked = await vscode.window.showQuickPick([...others, ...own], {
    title: vscode.l10n.t('What does "{0}" begin with?', name),
  });
  return picked?.start();
}

export const duplicateProfile: CommandHandler<'editor' | 'profiles'> = async (context, ...args) => {
  const from = await profileFrom(context, args[0], { title: vscode.l10n.t('Duplicate which profile?') });
  if (!from) return undefined;
  const name =
    typeof args[1] === 'string'
      ? args[1]
      : await askName(vscode.l10n.t('Name of the copy'), vscode.l10n.t('{0} copy', from.name));
  if (!name) return undefined;
  const label = vscode.l10n.t('duplicate {0}', from.name);
  if (typeof args[1] === 'string')
    return add(
      context,
      { ...from, id: profileIdFor(name, context.profiles.profiles()), name, origin: 'workspace' },
      label,
    );
  return addWhere(context, { ...from, name }, label);
};

export const renameProfile: CommandHandler<'editor' | 'profiles'> = async (context, ...args) => {
  const given = typeof args[0] === 'string' ? args[0] : context.profiles.active().id;
  const profile = await profileFrom(context, given, { title: vscode.l10n.t('Rename which profile?') });
  if (!profile) return;
  const shown = profileWords(profile, vscode.l10n.t).name;
  const title = vscode.l10n.t('New name of {0}', shown);
  const name = typeof args[1] === 'string' ? args[1] : await askName(title, profile.name);
  if (name) await context.editor.change(profile.id, vscode.l10n.t('rename {0}', shown), (one) => ({ ...one, name }));
};

const isShipped = (id: string): boolean => shippedProfiles().some((profile) => profile.id === id);

export const deleteProfile: CommandHandler<'editor' | 'profiles'> = async (context, ...args) => {
  const isOwn = (id: string): boolean => !isShipped(id);
  if (args[0] === undefined && ![...context.profiles.profiles().keys()].some(isOwn)) {
    void showInformation(
      vscode.l10n.t('There is no profile to delete: those that come with the extension stay, and can be reset.'),
    );
    return;
  }
  const profile = await profileFrom(context, args[0], { title: vscode.l10n.t('Delete which profile?'), only: isOwn });
  if (!profile) return;
  if (isShipped(profile.id))
    throw new Error(
      vscode.l10n.t(
        '`{0}` comes with the extension and cannot be deleted; reset it to its default instead',
        profile.id,
      ),
    );
  const wasActive = context.profiles.activeId === profile.id;
  if (wasActive) context.profiles.activate('default');
  const label = vscode.l10n.t('delete {0}', profile.name);
  await context.editor.remove(profile.id, label);
  const told = vscode.l10n.t('Deleted the profile "{0}".', shortName(profile.name));
  // It may have stood in the settings of both scopes.
  void offerUndo(context, told, { label, steps: 2 }, () => (wasActive ? profile.id : undefined));
};

/**
 * Tells of a change of profiles, and offers where the person looks to take it back.
 * @param active the profile that is to be active then, asked just before; undefined for the one that is.
 */
async function offerUndo(
  { editor, profiles }: Pick<CommandContext, 'editor' | 'profiles'>,
  told: string,
  { label, steps }: { readonly label: string; readonly steps: number },
  active: () => string | undefined,
): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  if ((await showInformation(told, undo)) !== undo) return;
  const before = active();
  let isBack = false;
  for (let left = steps; left > 0 && editor.undoLabel === label && (await editor.undo()) === 'undone'; left--)
    isBack = true;
  if (!isBack) void showWarning(vscode.l10n.t('Not undone ({0}): the settings were edited since.', label));
  else if (before !== undefined) profiles.activate(before);
}

export const resetProfile: CommandHandler<'editor' | 'profiles'> = async (context, ...args) => {
  const { profiles } = context;
  const id = typeof args[0] === 'string' ? args[0] : profiles.active().id;
  const name = profiles.nameOf(id, vscode.l10n.t);
  if (!isShipped(id)) {
    const message = vscode.l10n.t(
      '`{0}` has no default to go back to; only profiles that come with the extension do',
      name,
    );
    if (typeof args[0] === 'string') throw new Error(message);
    // A state and no failure, of which the editor would make an error in a modal.
    void showInformation(message);
    return;
  }
  const wasChanged = profiles.profiles().get(id)?.profile.origin !== 'shipped';
  await context.editor.remove(id, vscode.l10n.t('reset {0}', name));
  void vscode.window.setStatusBarMessage(
    wasChanged
      ? vscode.l10n.t('{0} is as it came; Undo Last Change brings yours back', name)
      : vscode.l10n.t('{0} is as it came', name),
    5000,
  );
};

export const exportProfile: CommandHandler<'profiles'> = async (context, ...args) => {
  const profile = await profileFrom(context, args[0], { title: vscode.l10n.t('Export which profile?') });
  if (!profile) return;
  const dialog = { filters: { JSON: ['json'] }, ...startingIn(`${profile.id}.profile.json`) };
  const target = args[1] instanceof vscode.Uri ? args[1] : await vscode.window.showSaveDialog(dialog);
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(exportText(profile)));
  void vscode.window.setStatusBarMessage(
    vscode.l10n.t(
      'Exported {0} to {1}',
      profileWords(profile, vscode.l10n.t).name,
      vscode.workspace.asRelativePath(target),
    ),
    5000,
  );
};

/** The largest file that is read as a profile. */
const mostBytes = 1_000_000;

/** Reads a shared profile, shows what it would grant, and adds it only on a yes. */
export const importProfile: CommandHandler<'editor' | 'profiles' | 'registry' | 'textQuestions'> = async (
  context,
  ...args
) => {
  const picked =
    args[0] instanceof vscode.Uri
      ? [args[0]]
      : await vscode.window.showOpenDialog({ filters: { JSON: ['json', 'jsonc'] } });
  const file = picked?.[0];
  if (!file) return undefined;
  const bytes = await vscode.workspace.fs.readFile(file);
  if (bytes.length > mostBytes) throw new Error(vscode.l10n.t('The file is too large for a profile.'));
  const read = readProfileFile(new TextDecoder().decode(bytes));
  if (!read.ok) throw new Error(worded(read.said, vscode.l10n.t));
  const { profiles, registry } = context;
  const exists = profiles.profiles().has(read.profile.id);
  const lines = [
    ...grantLines(read.profile, registry, vscode.l10n.t),
    ...read.problems.map((problem) => vscode.l10n.t('Problem: {0}', worded(problem.said, vscode.l10n.t))),
  ];
  const title = vscode.l10n.t('Import the profile "{0}"?', shortName(read.profile.name));
  const importIt = exists ? vscode.l10n.t('Import as a Copy') : vscode.l10n.t('Import');
  const replace = vscode.l10n.t('Replace {0}', read.profile.id);
  const answer = await context.textQuestions.ask({
    title,
    lines,
    name: 'profile.txt',
    buttons: [{ id: 'import', label: importIt }, ...(exists ? [{ id: 'replace', label: replace } as const] : [])],
  });
  if (answer === undefined) return undefined;
  const label = vscode.l10n.t('import {0}', read.profile.name);
  return answer === 'replace' ? add(context, read.profile, label) : addWhere(context, read.profile, label);
};

/**
 * Shows what the workspace wants beyond the user's own settings, and takes it over on a yes: another profile, or more
 * in one. From a row it is about that row's profile, else about what is active, else about the first that waits.
 */
export const acceptWidening: CommandHandler<'profiles' | 'registry' | 'textQuestions'> = async (context, ...args) => {
  const { profiles, registry } = context;
  const { heldBack } = profiles.configured();
  const clicked = wideningOf(args[0]);
  const wanted =
    clicked === undefined && heldBack && profiles.activeId !== heldBack.id
      ? profiles.profiles().get(heldBack.id)?.profile
      : undefined;
  if (heldBack && wanted) return activateHeldBack(context, heldBack, wanted);
  const [waiting] = [...profiles.profiles()].filter(([, { pendingWidening }]) => pendingWidening);
  const isActivePending = profiles.profiles().get(profiles.activeId)?.pendingWidening !== undefined;
  const id = clicked ?? (isActivePending ? profiles.activeId : waiting?.[0]);
  const pending = id === undefined ? undefined : profiles.profiles().get(id)?.pendingWidening;
  if (id === undefined || !pending) {
    void showInformation(vscode.l10n.t('The workspace wants nothing beyond your own settings.'));
    return;
  }
  const accept = vscode.l10n.t('Accept');
  const wish = profiles.merged.ifAccepted(id);
  const question = {
    title: vscode.l10n.t('Accept what this workspace allows in the profile "{0}"?', shortName(pending.wanted.name)),
    lines: [
      ...(wish ? moreLines(profiles.resolve(id) ?? profiles.active(), wish, vscode.l10n.t) : []),
      ...grantLines(pending.wanted, registry, vscode.l10n.t),
    ],
    name: 'profile.txt',
  };
  const isMeant = await context.textQuestions.confirms(question, accept);
  if (isMeant) await profiles.acceptWidening(pending);
};

/** The workspace names a profile that allows more than the active one. */
async function activateHeldBack(
  { profiles, registry, textQuestions }: Pick<CommandContext, 'profiles' | 'registry' | 'textQuestions'>,
  heldBack: { readonly id: string; readonly hash: string },
  wanted: Profile,
): Promise<void> {
  const activate = vscode.l10n.t('Activate');
  const title = vscode.l10n.t('Let this workspace activate the profile "{0}"?', shortName(wanted.name));
  const resolved = profiles.resolve(heldBack.id);
  const changes = resolved ? moreLines(profiles.active(), resolved, vscode.l10n.t) : [];
  const lines = [...changes, ...grantLines(wanted, registry, vscode.l10n.t)];
  if (!(await textQuestions.confirms({ title, lines, name: 'profile.txt' }, activate))) return;
  await profiles.acceptConfigured(heldBack.hash);
  // What changed while the question was open is another wish, and asks for itself.
  if (profiles.configured().id !== heldBack.id) return;
  const problem = profiles.activate(heldBack.id);
  if (problem) throw new Error(worded(problem.said, vscode.l10n.t));
}
