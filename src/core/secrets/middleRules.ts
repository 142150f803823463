/** What is known by letters in its middle, so many characters behind its beginning. */
export interface MiddleRule {
  readonly kind: string;
  readonly before: number;
  readonly pattern: RegExp;
}

const terraform = /[a-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/iy;
const devOps = /[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?!\w)/y;
const azureService = /[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{20,30}(?!\w)/y;
const registry = /[A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9+/]{6}(?![\w+/])/y;
const vault = /s\.(?=[A-Za-z]{0,12}\d[A-Za-z]{0,12}\d)[A-Za-z0-9]{24}(?![\w.(])/y;
const newRelic = /[a-z0-9]{36}NRAL(?!\w)/y;
const maxmind = /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/y;
const airtable = /oaa[A-Za-z0-9]{14}\.v1\.eyJ[\w+/=-]{40,600}\.[a-f0-9]{64,128}/y;
const ofVault: MiddleRule = { kind: 'vault-token', before: -1, pattern: vault };

/** By the letters, in lower case. */
export const middleRules: readonly (readonly [letters: string, rule: MiddleRule])[] = [
  ['.atlasv1.', { kind: 'terraform-token', before: 14, pattern: terraform }],
  ['_mmk', { kind: 'maxmind-key', before: 36, pattern: maxmind }],
  ['azdo', { kind: 'azure-devops-token', before: 76, pattern: devOps }],
  ['jqqj99', { kind: 'azure-ai-key', before: 52, pattern: azureService }],
  ['+acr', { kind: 'azure-registry-key', before: 42, pattern: registry }],
  ...Array.from('"\'`=: \n', (char) => [`${char}s.`, ofVault] as const),
  ['.v1.eyj', { kind: 'airtable-token', before: 17, pattern: airtable }],
  ['nral', { kind: 'newrelic-key', before: 36, pattern: newRelic }],
];
