/**
 * The forms that secretlint's rules describe (its public repository, August 2026), with what is drawn in braces: a
 * class of characters and how many. Left out is what it reports and what is no secret by its form alone: passwords like
 * any word in addresses, ids of accounts, bare numbers of 64 hexadecimal digits, binary files.
 */
const forms: Readonly<Record<string, readonly string[]>> = {
  '1password': ['ops_eyJ{A260}'],
  anthropic: ['sk-ant-api03-{w93}AA', 'sk-ant-admin01-{w93}AA', 'sk-ant-oat01-{w80}'],
  aws: ['AKIA{U16}', 'ASIA{U16}', 'AWS_SECRET_ACCESS_KEY = {s40}', '"aws_secret_access_key": "{s40}"'],
  azure: ['azureClientSecret := "{A3}8Q~{A34}"', 'AZURE_CLIENT_SECRET={A34}'],
  basicAuth: ['https://user:{A16}@example.com/path', 'ftp://user:{A12}@example.com'],
  cloudflare: ['cfat_{A40}{h8}', 'cfut_{A40}{h8}', 'cfk_{A40}{h8}'],
  connection: [
    'mongodb+srv://appuser:{A14}@cluster0.mongodb.net/mydb?retryWrites=true',
    'mysql://apiuser:{A14}@internal.db.com:3306/api',
    'postgresql://app:{A14}@db.example.com:5432/app',
  ],
  databricks: ['dapi{h32}', 'dapi{h32}-3'],
  docker: ['dckr_pat_{w27}', 'dckr_oat_{w32}'],
  figma: ['figd_{w40}'],
  gcp: ['"private_key": "-----BEGIN PRIVATE KEY-----\\n{s64}\\n{s64}\\n{s40}=\\n-----END PRIVATE KEY-----\\n"'],
  github: ['ghp_{A36}', 'gho_{A36}', 'ghu_{A36}', 'ghs_{A36}', 'ghr_{A36}', 'github_pat_{A22}_{A59}'],
  gitlab: ['glpat-{w20}', 'glpat-{w27}.01.{a9}', 'gldt-{w20}', 'glrt-{w20}', 'glptt-{h40}'],
  grafana: ['glc_eyJ{A80}', 'glsa_{A32}_{h8}'],
  groq: ['gsk_{A52}'],
  vault: ['hvs.{w90}', 'hvb.{w140}', 'hvr.{w90}'],
  huggingface: ['hf_{A34}'],
  linear: ['lin_api_{A40}', 'lin_oauth_{h64}'],
  notion: ['ntn_{d11}{A35}', 'secret_{A43}'],
  npm: ['npm_{A36}', '//registry.npmjs.org/:_authToken={h8}-{h4}-{h4}-{h4}-{h12}'],
  openai: ['sk-{A20}T3BlbkFJ{A20}', 'sk-proj-{w74}T3BlbkFJ{w74}', 'sk-svcacct-{w60}', 'sk-admin-{w60}'],
  privateKey: [
    '-----BEGIN RSA PRIVATE KEY-----\n{s64}\n{s64}\n{s40}=\n-----END RSA PRIVATE KEY-----',
    '{ "key": "-----BEGIN PRIVATE KEY-----\\n{s64}\\n{s64}\\n{s40}=\\n-----END PRIVATE KEY-----\\n" }',
    '-----BEGIN OPENSSH PRIVATE KEY-----\n{s70}\n{s70}\n{s40}\n-----END OPENSSH PRIVATE KEY-----',
  ],
  sendgrid: ['SG.{w22}.{w43}'],
  shopify: ['shpss_{A32}', 'shpat_{A32}', 'shpca_{A38}', 'shppa_{A38}', 'shpat_{h32}'],
  slack: [
    'xoxb-{d12}-{d12}-{A24}',
    'xoxp-{d11}-{d11}-{d12}-{h32}',
    'xapp-1-A{U10}-{d13}-{h64}',
    'https://hooks.slack.com/services/T{U10}/B{U10}/{A24}',
  ],
  stripe: ['sk_live_{A24}', 'sk_test_{A24}', 'rk_live_{A24}', 'rk_test_{A24}', 'sk_live_{A99}', 'whsec_{A32}'],
  tailscale: [
    'tskey-api-{A12}-{A24}',
    'tskey-auth-{A12}-{A24}',
    'tskey-client-{A12}-{A24}',
    'tskey-webhook-{A12}-{A24}',
  ],
  vercel: ['vcp_{A40}', 'vci_{A40}', 'vca_{A40}', 'vcr_{A40}', 'vck_{A40}'],
};

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const letters = `${lower}${lower.toUpperCase()}`;
const classes: Readonly<Record<string, string>> = {
  a: lower + digits,
  A: letters + digits,
  d: digits,
  h: `${digits}abcdef`,
  s: `${letters}${digits}+/`,
  U: `${lower.toUpperCase()}234567`,
  w: `${letters}${digits}_-`,
};

/** Each form once, drawn: the text, what of it nobody may see, and the rule that describes it. */
export function* drawnByForms(seed: number): Iterable<{ rule: string; text: string; drawn: readonly string[] }> {
  let state = seed * 7919 + 1;
  const draw = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  for (const [rule, all] of Object.entries(forms))
    for (const form of all) {
      const drawn: string[] = [];
      const text = form.replace(/\{([a-zA-Z])(\d+)\}/g, (_match, name: string, count: string) => {
        const from = classes[name] ?? '';
        const part = Array.from({ length: Number(count) }, () => from[draw(from.length)]).join('');
        if (part.length >= 10) drawn.push(part);
        return part;
      });
      yield { rule, text, drawn };
    }
}
