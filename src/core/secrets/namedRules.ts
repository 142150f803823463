/** A value that is a secret where it stands beside the name of its service. */
export interface NamedRule {
  readonly kind: string;
  /** In lower case, of three characters or more. */
  readonly names: readonly string[];
  /** The whole value. */
  readonly value: RegExp;
  /** Only likely: ids that services do not keep secret. */
  readonly guess?: true;
}

const rule = (names: string, value: RegExp, kind = `${names.split(' ')[0]}-key`, guess?: true): NamedRule => ({
  kind,
  names: names.split(' '),
  value,
  ...(guess ? { guess } : {}),
});

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** By service. Forms as the services and the public rules of gitleaks describe them. */
export const namedRules: readonly NamedRule[] = [
  rule('adafruit', /^[a-z0-9_-]{32}$/i),
  rule('airtable', /^[a-z0-9]{17}$/i),
  rule('algolia', /^[a-z0-9]{32}$/i),
  rule('alibaba aliyun', /^[a-z0-9]{30}$/i),
  rule('asana', /^[a-z0-9]{32}$/i),
  rule('atlassian confluence jira', /^[a-z0-9]{20}[a-f0-9]{4}$/i),
  rule('aws amazon secret_access_key secretaccesskey', /^[A-Za-z0-9/+]{40}$/, 'aws-secret-key'),
  rule('beamer', /^b_[\w=-]{44}$/i),
  rule('bitbucket', /^(?:[a-z0-9]{32}|[\w=-]{64})$/i),
  rule('bittrex', /^[a-z0-9]{32}$/i),
  rule('meraki', /^[0-9a-f]{40}$/i),
  rule('cloudflare', /^(?:[a-z0-9_-]{40}|[a-f0-9]{37})$/i),
  rule('codecov', /^[a-z0-9]{32}$/i),
  rule('cohere co_api_key', /^[a-z0-9]{40}$/i),
  rule('coinbase', /^[\w-]{64}$/i),
  rule('confluent', /^(?:[a-z0-9]{16}|[a-z0-9]{64})$/i),
  rule('contentful', /^[\w=-]{43}$/i),
  rule('datadog', /^[a-z0-9]{40}$/i),
  rule('discord', /^(?:[a-f0-9]{64}|[\w=-]{32})$/i),
  rule('droneci', /^[a-z0-9]{32}$/i),
  rule('dropbox', /^(?:[a-z0-9]{15}|[a-z0-9]{11}AAAAAAAAAA[\w=-]{43}|sl\.[\w=-]{100,200})$/i),
  rule('etsy', /^[a-z0-9]{24}$/i),
  rule('facebook', /^(?:[a-f0-9]{32}|\d{15,16}[|%][\w-]{27,40})$/i),
  rule('fastly', /^[\w=-]{32}$/i),
  rule('finicity', /^(?:[a-f0-9]{32}|[a-z0-9]{20})$/i),
  rule('finnhub', /^[a-z0-9]{20}$/i),
  rule('flickr', /^[a-z0-9]{32}$/i),
  rule('freshbooks', /^[a-z0-9]{64}$/i),
  rule('gitter', /^[\w-]{40}$/i),
  rule('gocardless', /^live_[\w=-]{40}$/i),
  rule('heroku', id),
  rule('hubspot', id),
  rule('intercom', /^[\w=-]{60}$/i),
  rule('jfrog artifactory bintray xray', /^[a-z0-9]{64}(?:[a-z0-9]{9})?$/i),
  rule('kraken', /^[\w/=+-]{80,90}$/i),
  rule('kucoin', /^(?:[a-f0-9]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i),
  rule('launchdarkly', /^[\w=-]{40}$/i),
  rule('linear', /^[a-f0-9]{32}$/i),
  rule('linkedin linked_in linked-in', /^[a-z0-9]{16}$/i),
  rule('lob', /^(?:live|test)_(?:[a-f0-9]{35}|pub_[a-f0-9]{31})$/i),
  rule('looker', /^(?:[a-z0-9]{20}|[a-z0-9]{24})$/i),
  rule('mailchimp', /^[a-f0-9]{32}-us\d{1,2}$/i),
  rule('mailgun', /^(?:(?:pub)?key-[a-f0-9]{32}|[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8})$/i),
  rule('mapbox', /^[ps]k\.[\w]{60,120}\.[\w-]{22}$/i),
  rule('mattermost', /^[a-z0-9]{26}$/i),
  rule('messagebird message-bird message_bird', /^[a-z0-9]{25}$/i),
  rule('messagebird message-bird message_bird', id),
  rule('netlify', /^[\w=-]{40,46}$/i),
  rule('newrelic new-relic new_relic', /^[a-z0-9]{64}$/i),
  rule('nytimes new-york-times newyorktimes', /^[\w=-]{32}$/i),
  rule('okta', /^00[\w=-]{40}$/),
  rule('plaid', /^[a-z0-9]{30}$/i),
  rule('privateai private_ai private-ai', /^[a-z0-9]{32}$/),
  rule('rapidapi', /^[\w-]{50}$/i),
  rule('sendbird', /^[a-f0-9]{40}$/i),
  rule('sendbird squarespace snyk', id),
  rule('sentry', /^[a-f0-9]{64}$/i),
  rule('contribsys__com', /^[a-f0-9]{8}:[a-f0-9]{8}$/i, 'sidekiq-key'),
  rule('sonar', /^(?:sq[upa]_)?[\w=-]{40}$/i),
  rule('sourcegraph', /^[a-f0-9]{40}$/i),
  rule('sumo', /^(?:su[a-zA-Z0-9]{12}|[a-z0-9]{64})$/i),
  rule('telegr', /^\d{5,16}:A[\w-]{34}$/i, 'telegram-token'),
  rule('travis', /^[a-z0-9]{22}$/i),
  rule('twitch', /^[a-z0-9]{30}$/i),
  rule('twitter', /^(?:[a-z0-9]{25}|[a-z0-9]{45}|[a-z0-9]{50}|\d{15,25}-[a-z0-9]{20,40}|A{22}[a-z0-9%]{80,100})$/i),
  rule('vault', /^s\.[A-Za-z0-9]{24}$/, 'vault-token'),
  rule('yandex', /^(?:AQVN[\w-]{35,38}|YC[\w-]{38}|t1\.[\w-]{1,400}=?=?\.[\w-]{86}=?=?)$/i),
  rule('zendesk', /^[a-z0-9]{40}$/i),
  rule('accountkey sharedaccesskey', /^[A-Za-z0-9+/]{43,86}={1,2}$/, 'azure-key'),
  rule('asana', /^\d{16}$/, 'asana-id', true),
  rule('adobe', /^[a-f0-9]{32}$/i, 'adobe-id', true),
  rule('discord', /^\d{18}$/, 'discord-id', true),
  rule('linkedin linked_in linked-in', /^[a-z0-9]{14}$/i, 'linkedin-id', true),
  rule('plaid', /^[a-z0-9]{24}$/i, 'plaid-id', true),
];

/** Names whose values are secrets of any service: a guess, unless the value leaves no doubt. */
export const genericNames: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'apikey',
  'api_key',
  'api-key',
  'access_key',
  'accesskey',
  'access-key',
  'private_key',
  'privatekey',
  'credential',
  'auth_key',
  'encryption_key',
  'signing_key',
  'bearer',
];
