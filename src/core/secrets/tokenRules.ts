/** A token that its own beginning gives away. */
export interface TokenRule {
  readonly kind: string;
  /** Literal beginnings in lower case, of three characters or more; the search jumps from one to the next. */
  readonly anchors: readonly string[];
  /** Matched from the anchor on. Every quantifier is bounded, so that no text makes it slow. */
  readonly pattern: RegExp;
  /** A token without enough chance in it is no secret; in bits by character. Default 2.6. */
  readonly bits?: number;
  /** Only likely: reported, not hidden. */
  readonly guess?: true;
  /** Of letters and digits alone: it is none within bytes that are written in base64. */
  readonly bare?: true;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** The dot of a host, also as it is escaped, and as it is written so that nobody follows the link: `hooks[.]slack`. */
export const dot = String.raw`(?:\\{0,4}\.|%2[eE]|&period;|&#(?:46|x2[eE]);|[[({<]\s?(?:\.|dot)\s?[\])}>]| dot )`;

const rule = (
  kind: string,
  anchors: string,
  pattern: RegExp,
  more: Pick<TokenRule, 'bits' | 'guess' | 'bare'> = {},
): TokenRule => ({
  kind,
  anchors: anchors.split(' '),
  pattern: new RegExp(pattern.source, `${pattern.flags}y`),
  ...more,
});

/** By service. Forms as the services and the public rules of gitleaks and secretlint describe them. */
export const tokenRules: readonly TokenRule[] = [
  // Code and its hosts.
  rule('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh[opusr]_[A-Za-z0-9_-]{30,400}(?:\.[\w-]{1,400}){0,4}/),
  rule('github-token', 'github_pat_', /github_pat_\w{36,255}/),
  rule(
    'gitlab-token',
    'glpat- glwt- gldt- glrt- glcbt- glffct- glft- glimt- glagent- gloas- glptt- glsoat- glrtr-',
    /gl(?:pat|wt|dt|rtr?|cbt|ffct|ft|imt|agent|oas|ptt|soat)-[\w-]{20,300}(?:\.[0-9a-z]{2}[0-9a-z]{7}|(?:\.[\w-]{2,40}){1,3})?/,
  ),
  rule('gitlab-token', 'gr1348941 _gitlab_session=', /(?:GR1348941[\w-]{20,40}|_gitlab_session=[0-9a-z]{32})/),
  rule('npm-token', 'npm_', /npm_[a-z0-9]{36}/i),
  rule('npm-token', '_authtoken', /_authToken\s?=\s?["']?[\w+/=.-]{20,300}/i),
  rule('npm-token', ':_auth= :_password=', /:_(?:auth|password)=["']?[\w+/=]{16,300}/),
  rule('pypi-token', 'pypi-', /pypi-[\w-]{50,1000}/),
  rule('rubygems-token', 'rubygems_', /rubygems_[a-z0-9]{40,60}/),
  rule('clojars-token', 'clojars_', /CLOJARS_[a-z0-9]{60}/i),
  rule(
    'nuget-password',
    '<add key=',
    /<add key="(?:ClearText)?Password"\s{1,60}value="(?!%\w{1,100}%|\$[({])[^"\r\n]{8,300}(?="\s{0,60}\/>)/i,
    { bits: 1 },
  ),
  rule('docker-token', 'dckr_pat_ dckr_oat_', /dckr_[po]at_[\w-]{20,80}/),
  rule('jfrog-token', 'akcp cmvmd', /(?:AKCp[A-Za-z0-9]{10,110}|cmVmd[A-Za-z0-9]{59})/, { bits: 3.5, bare: true }),
  rule('postman-token', 'pmak-', /PMAK-[a-z0-9]{24}-[a-z0-9]{34}/i),
  rule('prefect-token', 'pnu_', /pnu_[A-Za-z0-9]{36}/),
  rule('pulumi-token', 'pul-', /pul-[a-z0-9]{40}(?!\w)/, { bits: 3 }),
  rule('readme-token', 'rdme_', /rdme_[a-z0-9]{70}/),
  rule('sourcegraph-token', 'sgp_ slk_', /(?:sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}|slk_[a-f0-9]{64})/i),
  rule('octopus-key', 'api-', /API-[A-Z0-9]{26}(?![A-Za-z0-9])/, { bits: 3 }),
  rule('infracost-token', 'ico-', /ico-(?![0-9a-f]{32})[A-Za-z0-9]{32}(?!\w)/, { bits: 3 }),
  rule('harness-key', 'pat. sat.', /[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/),
  rule('figma-token', 'figd_ figo_ figu_ figh_ figp_ figr_', /fig[douhpr]_[\w-]{30,80}/),
  rule('linear-key', 'lin_api_ lin_oauth_', /lin_(?:api|oauth)_[a-z0-9]{32,80}/i),
  rule('notion-token', 'ntn_', /ntn_\d{8,14}[A-Za-z0-9]{30,40}/),
  rule('notion-token', 'secret_', /secret_[A-Za-z0-9]{43}/, { bits: 4 }),
  rule('sentry-token', 'sntrys_ sntryu_ sntrya_ sntryi_', /sntry(?:s_eyJ[\w+/=]{40,500}|[uai]_[a-f0-9]{64})/),
  rule(
    'doppler-token',
    'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.',
    /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[a-z0-9]{40,44}/i,
  ),
  rule(
    'authress-key',
    'sc_ ext_ scauth_ authress_',
    /(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,120}/i,
  ),

  rule('nuget-key', 'oy2', /oy2[a-z0-9]{43}(?![\w+/=-])/, { bits: 3.8, bare: true }),
  rule('crates-token', 'cio', /cio(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{32}(?![\w+/=-])/, { bits: 4, bare: true }),
  rule('circleci-token', 'ccipat_ cciprj_', /CCIP(?:AT|RJ)_[A-Za-z0-9]{16,30}_[a-z0-9]{40}/),
  rule('buildkite-token', 'bkua_', /bkua_[a-z0-9]{40}(?!\w)/),
  rule('netlify-token', 'nfp_ nfc_', /nf[pc]_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{36,44}(?!\w)/, { bits: 3.8 }),
  rule('contentful-token', 'cfpat-', /CFPAT-[\w-]{40,50}/),
  rule('snyk-token', 'snyk_uat. snyk_sat.', /snyk_[us]at\.[a-f0-9]{8}\.[\w-]{60,400}(?:\.[\w-]{10,200})?/),
  rule(
    'npm-token',
    '_auth _password',
    /(?<![\w:.-])_(?:auth|password)\s?=\s?["']?(?=[A-Za-z]{0,60}[\d+/=])[A-Za-z0-9+/]{16,300}={0,2}(?![\w(.])/,
    { bits: 3.4 },
  ),
  rule('spectral-key', 'spu-', /(?<![\w-])spu-[a-f0-9]{32}(?![\w-])/, { bits: 3 }),
  rule('dependency-track-key', 'odt_', /odt_(?:[A-Za-z0-9]{8}_)?(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{32}(?!\w)/, {
    bits: 3.8,
  }),
  rule('bitbucket-token', 'bbdc-', /BBDC-(?=[A-Za-z]{0,60}\d)[\w+/@-]{40,50}/, { bits: 3.8 }),
  rule('launchdarkly-key', 'sdk-', new RegExp(`(?<![\\w-])sdk-${uuid}`)),
  rule('clickup-token', 'pk_', /pk_\d{6,9}_[A-Z0-9]{32}(?!\w)/),
  rule('segment-token', 'sgp_', /sgp_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{64}(?!\w)/, { bits: 4 }),
  rule('portainer-token', 'ptr_', /ptr_(?=(?:[A-Za-z+/_-]{0,60}\d){3})[A-Za-z0-9+/_-]{42,46}=?(?![\w=])/, {
    bits: 4.2,
  }),
  rule('dropbox-token', 'sl.', /sl\.(?:u\.)?[\w-]{130,2000}={0,2}/, { bits: 4 }),
  rule('zuplo-key', 'zpka_', /zpka_[a-z0-9]{32}_[a-f0-9]{8}/),
  rule('unkey-key', 'unkey_', /unkey_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{20,40}(?!\w)/, { bits: 3.6 }),
  rule('ionic-token', 'ion_', /ion_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{42}(?!\w)/, { bits: 4 }),
  rule('nightfall-key', 'nf-', /(?<![\w-])NF-(?=[A-Za-z]{0,60}\d)(?=\w{0,60}[G-Zg-z])[A-Za-z0-9]{32}(?!\w)/, {
    bits: 3.8,
  }),
  rule('adafruit-key', 'aio_', /aio_(?=[A-Za-z]{0,60}\d)(?=\w{0,60}[G-Zg-z])[A-Za-z0-9]{28}(?!\w)/, { bits: 3.6 }),
  rule('lichess-token', 'lip_', /lip_(?=[A-Za-z]{0,60}\d)(?=\w{0,60}[G-Zg-z])[A-Za-z0-9]{20}(?!\w)/, { bits: 3.6 }),
  rule('trigger-key', 'tr_dev_ tr_prod_ tr_stg_', /tr_(?:dev|prod|stg)_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{20,48}(?!\w)/),
  rule('inngest-key', 'signkey-', /signkey-[a-z]{2,8}-[a-f0-9]{32,64}(?!\w)/),
  rule('riot-key', 'rgapi-', new RegExp(`RGAPI-${uuid}`, 'i')),
  rule('wakatime-key', 'waka_', new RegExp(`waka_${uuid}`)),
  rule('bannerbear-key', 'bb_pr_ bb_ma_', /bb_(?:pr|ma)_[a-f0-9]{30}(?!\w)/, { bits: 3 }),

  // Clouds.
  rule('aws-access-key', 'akia asia abia acca a3t', /A(?:[KSB]IA|CCA|3T[A-Z0-9])[A-Z2-7]{16}(?![A-Za-z0-9])/, {
    bits: 3,
  }),
  rule('aws-bedrock-key', 'absk', /ABSK[A-Za-z0-9+/]{109,269}={0,2}/, { bits: 3 }),
  rule('aws-bedrock-key', 'bedrock-api-key-', /bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[\w+/=-]{0,2000}/),
  rule('alibaba-key', 'ltai', /LTAI[A-Za-z0-9]{16,26}(?!\w)/, { bits: 3, bare: true }),
  rule('google-key', 'aiza', /AIza[\w-]{35}/, { bits: 3 }),
  rule('google-token', 'ya29. 1//0', /(?:ya29\.[\w-]{20,2000}|1\/\/0[\w-]{40,120})/),
  rule('google-secret', 'gocspx-', /GOCSPX-[\w-]{20,40}/),
  rule('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', /do[por]_v1_[a-f0-9]{64}/i),
  rule('cloudflare-key', 'v1.0-', /v1\.0-[a-f0-9]{24}-[a-f0-9]{100,180}/),
  rule('cloudflare-token', 'cfat_ cfut_ cfk_', /cf(?:at|ut|k)_[\w-]{32,80}/),
  rule('heroku-key', 'hrku-aa', /HRKU-AA[\w-]{40,80}/),
  rule('flyio-token', 'fo1_ fm1r_ fm1a_ fm2_', /(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,2000}={0,3})/),
  rule('planetscale-token', 'pscale_tkn_ pscale_oauth_ pscale_pw_', /pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}/i),
  rule('supabase-key', 'sbp_ sb_secret_', /(?:sbp_[a-z0-9]{40}|sb_secret_[\w-]{22,60})/),
  rule('vercel-token', 'vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_', /vc[piark]_[\w-]{20,80}|vercel_blob_rw_\w{37,65}/),
  rule('scalingo-token', 'tk-us-', /tk-us-[\w-]{48}/),
  rule('databricks-token', 'dapi', /dapi[a-f0-9]{32}(?:-\d)?/),
  rule('clickhouse-key', '4b1d', /4b1d[A-Za-z0-9]{38}/, { bits: 3.8, bare: true }),
  rule('openshift-token', 'sha256~', /sha256~[\w-]{43}/, { bits: 3 }),
  rule('vault-token', 'hvs. hvb. hvr.', /hv[sbr]\.[\w-]{20,300}/, { bits: 3 }),
  rule('tailscale-key', 'tskey-', /tskey-[a-z]{3,10}-[\w-]{10,80}/i),
  rule('1password-token', 'ops_eyj', /ops_eyJ[A-Za-z0-9+/]{100,2000}={0,3}/),
  rule('1password-key', 'a3-', /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/, {
    bits: 3,
  }),
  rule('age-key', 'age-secret-key-1', /AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/i),
  rule('harbor-token', 'robot$', /robot\$[\w+.-]{1,60}:[A-Za-z0-9]{32}/),

  rule('aws-session-token', 'iqojb3jpz2lux2vj fwogzxivyxdz', /(?:IQoJb3JpZ2luX2Vj|FwoGZXIvYXdz)[\w+/=%-]{60,4000}/),
  rule('aws-signature', 'x-amz-signature=', /X-Amz-Signature=[a-f0-9]{64}/i),
  rule('azure-signature', 'sig=', /sig=(?:[A-Za-z0-9+/]|%2[bf]){40,44}(?:%3d|=)/i, { bits: 3.8 }),
  rule('render-key', 'rnd_', /rnd_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{28,40}(?!\w)/, { bits: 3.8 }),
  rule('neon-key', 'napi_', /napi_[a-z0-9]{40,80}(?!\w)/, { bits: 3.8 }),
  rule('tencent-key', 'akid', /AKID[A-Za-z0-9]{32}(?!\w)/, { bits: 3.6, bare: true }),
  rule('aws-appsync-key', 'da2-', /da2-[a-z0-9]{26}(?![\w-])/, { bits: 3 }),
  rule('aiven-password', 'avns_', /AVNS_[\w-]{19}(?![\w-])/, { bits: 3 }),
  rule('cockroach-key', 'ccdb1_', /CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}/),
  rule('mongodb-secret', 'mdb_sa_sk_', /mdb_sa_sk_[\w-]{40}/),
  rule('deno-token', 'ddp_ ddo_ ddw_', /dd[pow]_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{36,40}(?!\w)/, { bits: 3.8 }),
  rule('convex-key', 'eyj2mii6i', /eyJ2MiI6I[\w+/=]{40,400}/),
  rule('azure-config-key', ';secret=', /;Secret=(?=[A-Za-z+/]{0,89}\d)[A-Za-z0-9+/]{43,90}={0,2}/),
  rule('salad-key', 'salad_cloud_', /salad_cloud_[a-z]{2,12}_[A-Za-z0-9]{40,80}/),

  // Models.
  rule('openai-key', 'sk-', /sk-(?:proj|svcacct|admin|None)-[\w-]{40,250}/),
  rule('openai-key', 'sk-', /sk-[\w-]{20,120}T3BlbkFJ[\w-]{20,120}/),
  rule('openai-key', 'sk-', /sk-(?:[a-z]{3,9}-)?[A-Za-z0-9]{40,64}(?![\w-])/, { bits: 4 }),
  rule('anthropic-key', 'sk-ant-', /sk-ant-[a-z0-9]{3,12}-[\w-]{40,200}/),
  rule('openrouter-key', 'sk-or-', /sk-or-(?:v\d-)?[a-f0-9]{48,80}/),
  rule('groq-key', 'gsk_', /gsk_[A-Za-z0-9]{40,60}/),
  rule('huggingface-token', 'hf_ api_org_', /(?:hf|api_org)_[A-Za-z0-9]{30,40}(?!\w)/, { bits: 3.5 }),
  rule('perplexity-key', 'pplx-', /pplx-[A-Za-z0-9]{48}/),
  rule('xai-key', 'xai-', /xai-[A-Za-z0-9]{70,90}/),
  rule('replicate-token', 'r8_', /r8_[A-Za-z0-9]{37}/),
  rule('nvidia-key', 'nvapi-', /nvapi-[\w-]{50,90}/),
  rule('langsmith-key', 'lsv2_', /lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}/),
  rule('tavily-key', 'tvly-', /tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,50}/),
  rule('apify-token', 'apify_api_', /apify_api_[\w-]{30,50}/),

  rule('model-key', 'sk- sk_', /sk(?:-[a-f0-9]{32}(?![\w-])|_[a-f0-9]{48}(?!\w))/, { bits: 3 }),
  rule('openai-key', 'sess-', /sess-[A-Za-z0-9]{40}(?!\w)/, { bits: 4 }),
  rule('langfuse-key', 'sk-lf-', new RegExp(`sk-lf-${uuid}`)),
  rule('cerebras-key', 'csk-', /csk-[a-z0-9]{40,64}(?![\w-])/, { bits: 3.8 }),
  rule('pinecone-key', 'pcsk_', /pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,80}/),
  rule('fireworks-key', 'fw_', /fw_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{20,32}(?!\w)/, { bits: 3.8 }),
  rule('alchemy-key', 'alcht_', /alcht_[A-Za-z0-9]{30}(?!\w)/),
  rule('google-key', 'aq.ab8', /AQ\.Ab8[\w-]{30,120}/, { bits: 3.5 }),
  rule('jina-key', 'jina_', /jina_[a-f0-9]{32}[\w-]{24,40}/),
  rule('firecrawl-key', 'fc-', /fc-[a-f0-9]{32}(?![\w-])/, { bits: 3 }),
  rule('e2b-key', 'e2b_', /e2b_[a-f0-9]{40}(?!\w)/),
  rule('cursor-key', 'crsr_ key_', /(?:crsr|key)_[a-f0-9]{64}(?!\w)/),
  rule('daytona-key', 'dtn_', /dtn_[a-f0-9]{64}(?!\w)/),
  rule('context7-key', 'ctx7sk-', new RegExp(`ctx7sk-${uuid}`)),
  rule('wandb-key', 'wandb_v1_', /wandb_v1_\w{40,120}/),
  rule('photoroom-key', 'sk_pr_', /sk_pr_\w{1,40}_[a-f0-9]{40}(?!\w)/),

  // Money and shops.
  rule(
    'stripe-key',
    'sk_test_ sk_live_ sk_prod_ rk_test_ rk_live_ rk_prod_',
    /[sr]k_(?:test|live|prod)_[A-Za-z0-9]{10,250}/,
  ),
  rule('stripe-webhook-secret', 'whsec_', /whsec_[A-Za-z0-9+/=]{24,80}/),
  rule('square-token', 'sq0atp- sq0csp-', /sq0(?:atp|csp)-[\w-]{22,60}/, { bits: 3.4 }),
  rule('square-token', 'eaaa', /EAAA[\w-]{22,64}(?![\w+/=-])/, { bits: 3.6, bare: true }),
  rule('shopify-token', 'shpat_ shpca_ shppa_ shpss_ shpua_', /shp(?:at|ca|pa|ss|ua)_[a-z0-9]{32,40}/i),
  rule('flutterwave-key', 'flwseck_test- flwseck- flwpubk_test-', /FLW(?:SECK|PUBK)(?:_TEST)?-[a-z0-9]{12,44}(?:-X)?/i),
  rule('duffel-token', 'duffel_', /duffel_(?:test|live)_[\w=-]{43}/i),
  rule('shippo-token', 'shippo_', /shippo_(?:live|test)_[a-f0-9]{40}/i),
  rule('easypost-token', 'ezak eztk', /EZ[AT]K[a-z0-9]{54}/i, { bare: true }),
  rule(
    'plaid-token',
    'access-sandbox- access-development- access-production-',
    /access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i,
  ),
  rule('paypal-token', 'access_token$', /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/),
  rule('adobe-secret', 'p8e-', /p8e-[a-z0-9]{32}/i),
  rule('frameio-token', 'fio-u-', /fio-u-[\w=-]{64}/i),
  rule('typeform-token', 'tfp_', /tfp_[\w.=-]{40,64}/i),
  rule('airtable-token', 'pat', /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/),
  rule('intra42-secret', 's-s4t2ud- s-s4t2af-', /s-s4t2(?:ud|af)-[a-f0-9]{64}/i),
  rule('settlemint-token', 'sm_aat_ sm_pat_ sm_sat_', /sm_[aps]at_[A-Za-z0-9]{16}/),
  rule('defined-networking-token', 'dnkey-', /dnkey-[\w=-]{26}-[\w=-]{52}/i),

  rule('stripe-key', 'sk_org_live_ sk_org_test_', /sk_org_(?:live|test)_[A-Za-z0-9]{20,250}/),
  rule('razorpay-key', 'rzp_live_ rzp_test_', /rzp_(?:live|test)_[A-Za-z0-9]{14}(?!\w)/),
  rule(
    'paddle-key',
    'pdl_live_apikey_ pdl_sdbx_apikey_',
    /pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}/,
  ),
  rule('salesforce-token', '00d', /00D[A-Za-z0-9]{12,15}!AQ[A-Za-z0-9._-]{40,200}/),
  rule('pagarme-key', 'ak_live_ ak_test_', /ak_(?:live|test)_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{30}(?!\w)/),
  rule('ramp-secret', 'ramp_sec_', /ramp_sec_[A-Za-z0-9]{48}/),
  rule('robinhood-key', 'rh-api-', new RegExp(`rh-api-${uuid}`)),
  rule('polar-token', 'polar_', /polar_(?:oat|pat|sk|whs)_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{32,60}(?!\w)/),
  rule('zoho-token', '1000.', /1000\.[a-f0-9]{32}\.[a-f0-9]{32}(?!\w)/),
  rule('hubspot-token', 'pat-na1- pat-na2- pat-eu1- pat-ap1-', new RegExp(`pat-(?:na|eu|ap)\\d-${uuid}`)),

  // Messages, mail, monitoring.
  rule('zapier-webhook', 'hooks.zapier.com/', /hooks\.zapier\.com\/hooks\/catch\/\d{4,12}\/[a-z0-9]{5,12}/, {
    bits: 2,
  }),
  rule('telnyx-key', 'key01', /KEY01[0-9A-F]{30}_[A-Za-z0-9]{22}/),
  rule('mailersend-token', 'mlsn.', /mlsn\.[a-f0-9]{64}/),
  rule('pubnub-key', 'sec-c-', /sec-c-[A-Za-z0-9]{48}/),
  rule('twitch-key', 'live_', /live_\d{8,10}_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{30}(?!\w)/),
  rule('rootly-token', 'rootly_', /rootly_[a-f0-9]{64}/),
  rule('stackhawk-key', 'hawk.', /hawk\.(?=[\w-]{0,60}\d)[\w-]{20}\.[\w-]{20}(?![\w-])/, { bits: 4 }),
  // Numbers lead to the part that is drawn; of workspaces there are none, and names of pictures begin alike.
  rule(
    'slack-token',
    'xox',
    /xox(?:[abceoprs]-(?:\d-)?\d[\da-f]{4,13}-[\w-]{10,250}|[os]-\d{4,20}-\d{4,20}-\d{4,20}-[a-f\d]{8,80}|[ar]-(?:\d-)?(?=[a-z]{0,40}\d)[a-z\d]{8,48}|e-\d-[a-z\d]{100,200}|e.?xox[bp]-\d-[a-z\d]{100,200})/i,
    { bits: 2.4 },
  ),
  rule('slack-token', 'xapp-', /xapp-\d-[A-Z0-9]{1,30}-\d{1,30}-[a-z0-9]{1,100}/i, { bits: 2 }),
  rule(
    'slack-webhook',
    'hooks',
    new RegExp(
      `hooks(?:${dot}|[^\\s/])slack(?:-gov)?(?:${dot}|[^\\s/])com/(?:services|workflows|triggers)/[\\w+/-]{30,80}`,
    ),
  ),
  rule(
    'discord-webhook',
    'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    /discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/[\w-]{50,90}/,
  ),
  rule(
    'teams-webhook',
    '.webhook.office.com/ outlook.office.com/webhook/',
    /(?:\.webhook\.office\.com\/webhookb2|outlook\.office\.com\/webhook)\/[\w-]{36}@[\w-]{36}\/IncomingWebhook\/[a-z0-9]{32}\/[\w-]{36}/,
  ),
  rule('sendgrid-key', 'sg.', /SG\.[\w=.-]{50,80}/i, { bits: 3 }),
  rule('sendinblue-key', 'xkeysib- xsmtpsib-', /x(?:key|smtp)sib-[a-f0-9]{64}-[a-z0-9]{16}/i),
  rule('mailgun-key', 'key- pubkey-', /(?:(?<![\w-])|pub)key-[0-9a-f]{32}(?![\w-])/),
  rule('facebook-token', 'eaa', /EAA[A-Z][A-Za-z0-9]{100,300}(?![\w+/=])/, { bits: 3.8, bare: true }),
  rule(
    'grafana-token',
    'glsa_ glc_ eyjrijoi',
    /(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_(?=eyJ|[A-Za-z+/]{0,80}\d)[A-Za-z0-9+/]{32,400}={0,3}|eyJrIjoi[A-Za-z0-9]{50,400}={0,3})/,
  ),
  rule(
    'newrelic-key',
    'nrak- nrii- nriq- nrjs- nrbr- nrra- nraa-',
    /NR(?:AK-[A-Z0-9]{27}|I[IQ]-[\w-]{32}|(?:JS|BR)-[a-f0-9]{19}|RA-[a-f0-9]{42}|AA-[a-f0-9]{27})/i,
  ),
  rule('dynatrace-token', 'dt0c01.', /dt0c01\.[a-z0-9]{24}\.[a-z0-9]{64}/i),
  rule('sonar-token', 'squ_ sqp_ sqa_', /sq[upa]_[a-z0-9]{40}/i),
  rule('atlassian-token', 'atatt3 atctt3 atbb', /AT(?:[AC]TT3[\w=-]{100,250}|BB[A-Za-z0-9]{32})/),
  rule('mapbox-token', 'sk.eyj tk.eyj', /[st]k\.eyJ[\w-]{40,120}\.[\w-]{20,30}/),

  rule('slack-token', 'xoxd-', /xoxd-[A-Za-z0-9%+/=-]{20,400}/),
  rule(
    'discord-token',
    'mta mte mti mtm mtq mtu mty mtc mtg mtk',
    /MT[A-Za-z0-9][\w-]{20,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/,
    { bits: 4 },
  ),
  rule('resend-key', 're_', /re_[A-Za-z0-9]{6,10}_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{20,32}(?!\w)/, { bits: 3.8 }),
  rule('posthog-key', 'phx_ phs_', /ph[xs]_[A-Za-z0-9]{40,60}(?!\w)/, { bits: 3.8 }),
  rule('axiom-token', 'xaat- xapt-', new RegExp(`xa(?:at|pt)-${uuid}`)),
  rule('trello-token', 'atta', /ATTA[a-f0-9]{64}[A-F0-9]{8}(?!\w)/),
  rule('jetbrains-token', 'perm:', /perm[:-][\w+/=-]{8,80}\.[\w+/=-]{4,80}\.[\w+/=-]{30,80}/, { bits: 3.8 }),
  rule('okta-token', 'ssws', /SSWS 00[\w-]{40}(?![\w-])/),

  // Passwords as systems keep them, from which anybody may find them out. Each dollar is two in a file for Compose.
  rule('password-hash', '$2a$ $2b$ $2x$ $2y$', /\$2[abxy]\$\$?\d\d\$\$?[A-Za-z0-9./]{53}(?![\w./])/, { bits: 4 }),
  rule(
    'password-hash',
    '$5$ $6$',
    /\$[56]\$\$?(?:rounds=\d{1,9}\$\$?)?[A-Za-z0-9./]{1,16}\$\$?(?:[A-Za-z0-9./]{43}|[A-Za-z0-9./]{86})(?![\w./])/,
    { bits: 4 },
  ),
  rule('password-hash', '$1$ $apr1$', /\$(?:1|apr1)\$\$?[A-Za-z0-9./]{1,8}\$\$?[A-Za-z0-9./]{22}(?![\w./])/, {
    bits: 3.6,
  }),
  rule(
    'password-hash',
    '$y$ $gy$',
    /\$g?y\$\$?[A-Za-z0-9./]{1,8}\$\$?[A-Za-z0-9./]{1,86}\$\$?[A-Za-z0-9./]{43}(?![\w./])/,
    { bits: 4 },
  ),
  rule(
    'password-hash',
    '$argon2id$ $argon2i$ $argon2d$',
    /\$argon2i?d?\$\$?(?:v=\d{1,3}\$\$?)?[mtp]=[\w,=]{1,80}\$\$?[A-Za-z0-9+/]{8,100}\$\$?[A-Za-z0-9+/]{16,200}/,
    { bits: 4 },
  ),
  rule('password-hash', 'pbkdf2_sha', /pbkdf2_sha\d{1,3}\$\d{3,9}\$[A-Za-z0-9]{1,40}\$[A-Za-z0-9+/]{26,90}={0,2}/, {
    bits: 4,
  }),
  rule('password-hash', '{ssha', /\{SSHA(?:256|384|512)?\}[A-Za-z0-9+/]{32,140}={0,2}/i, { bits: 4 }),

  // Yandex.
  rule('yandex-key', 'aqvn', /AQVN[\w-]{35,38}(?![\w-])/, { bits: 3.5 }),
  rule('yandex-token', 't1.', /t1\.[\w-]{20,400}={0,2}\.[\w-]{86}={0,2}/),
];
