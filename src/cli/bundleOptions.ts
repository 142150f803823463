import { workspaceOptions } from './args';

/** The options of `bundle`; `true` marks those that are followed by a value. */
export const bundleOptions: Readonly<Record<string, boolean>> = {
  ...workspaceOptions,
  name: true,
  revision: true,
  'expires-in': true,
  key: true,
  'public-key': true,
  after: true,
  out: true,
};

export const bundleUsage =
  'bundle key --out FILE | bundle make --name NAME --revision N [--expires-in 90d] [--yes] [--out FILE] | bundle sign FILE --key PRIVATE.pem [--out FILE] | bundle verify FILE --public-key KEY [--name NAME] [--after OLDER] | bundle show FILE [--public-key KEY] [--json]\n    KEY: ed25519:…, or a file that holds it';
