import { strict as assert } from 'node:assert';
import { findByRules } from '../../../../src/core/secrets/finder';
import { tokenRules } from '../../../../src/core/secrets/tokenRules';
import { drawnOf } from '../../../support/secretSamples';

/** What is hidden of a text, and with a question mark what is told alone. */
const foundIn = (text: string): readonly string[] =>
  findByRules(text).map(({ start, end, rule, sure }) => `${rule}${sure ? '' : '?'} ${text.slice(start, end)}`);

const password = drawnOf('<B:4>7k#<B:3>Q9!<B:2>', 11);

describe('passwords', () => {
  it('D.redaction: in quotes are hidden with any sign, however their name ends and whatever leads to them', () => {
    const missed = [
      `password = '${password}'`, `"password": "${password}",`, `const dbPassword = "${password}";`, `DB_PASSWORD="${password}"`,
      `{ user: 'ann', pass: '${password}' }`, `db_pwd => "${password}"`, `$config['passwd'] = '${password}';`, `PASSWORD2 := "${password}"`,
      `if (password === '${password}') open();`, `client.set("password", "${password}")`, `password: str = "${password}"`, `userpassword = b'${password}'`,
      `passphrase: \`${password}\``, `{\\"password\\": \\"${password}\\"}`, `password = "#${password}"`, `password = '${drawnOf('<B:5>7<B:4>9<B:3>', 3)}'`,
    ].filter((text) => !foundIn(text).some((one) => /^password [^?]{8}/.test(one))); // prettier-ignore
    assert.deepEqual(missed, []);
  });

  it('D.redaction: that people make up are told, and what only stands beside the name of one is left', () => {
    for (const text of ['Welcome2024!', 'sommer#24'])
      assert.deepEqual(foundIn(`password: '${text}'`), [`password? ${text}`]);
    for (const text of [
      `bypass: '${password}'`, "password: 'at-least-8-characters!'", "password: '#login-password-2'", "password: '#fieldForPw2'", "password: '^(?=.*[A-Z])(?=.*#)[a-z0-9]{8,}$'", "password: 'errors.field.min8Chars!'",
      'password: `${a}#B2kd9sLm2pQ`', 'password: "{{ vault_pw9 }}#A"', "password: '%s:%d#Ab12kd9'", "pass: 'readFromFile2()#Ax'", "password: '<YOUR-Pw-9>'", "password = '$DB_PW9'",
      "password: 'Passw0rd!#9Kz'", `passwordHint: '${password}'`, `passes = '${password}'`, `password: '${drawnOf('<h:64>', 4)}'`, 'password("Zk82kd mind the gap#9")',
      "pwd = '/home/ann/Work9/b#c'", 'password = "https://h.example/Zk8#2kdL"', '"lastPass": "2024-01-02T10:11:12.345Z"', 'password: "ENC[AES256_GCM,data:Zk8+2kdL=,iv:a9]"', 'password: "!ENV[DB1_Pass]"',
    ])
      assert.deepEqual(foundIn(text).filter((one) => !one.includes('?')), [], text);
  }); // prettier-ignore

  it('D.redaction: of Ansible are hidden in its files and in the line of a host, and no variable or vault is', () => {
    const plain = drawnOf('q7<B:10>', 4);
    for (const text of [
      `ansible_become_pass: ${plain}`, `ansible_ssh_pass: ${plain}`, `h1 ansible_user=root ansible_ssh_pass=${plain} ansible_port=22`, `ansible_password: "${password}"`,
      `ansible_become_password='${password}'`, `ansible_sudo_pass=${plain}`, `-e ansible_winrm_password=${plain}`, `"ansible_httpapi_pass": "${plain}"`, `ansible_become_pass: ${password.replace('#', '$')}`,
    ])
      assert.ok(foundIn(text).some((one) => /^(?:ansible-)?password \S{12}/.test(one)), text);
    for (const text of [
      'ansible_become_pass: "{{ vault_become_pass9 }}"', 'ansible_become_pass: !vault |', 'ansible_become_pass: "{{lookup(\'env\', \'PW9\')}}"', 'ansible_ssh_pass=$SSH_PW9',
      'ansible_password = get_password_of_host2(name)', 'ansible_become_password_file: /etc/a9', 'ansible_passlib: 1a2b3c4d5e',
    ])
      assert.deepEqual(foundIn(text), [], text);
  }); // prettier-ignore

  it('D.redaction: are hidden as systems keep them, and no number of a group, template or beginning of one is', () => {
    for (const form of [
      'ann:$6$<B:16>$<B:86>:19000:0:99999:7:::', 'ann:$6$rounds=656000$<B:16>$<B:86>', 'ann:$5$<B:8>$<B:43>', 'ann:$1$<B:8>$<B:22>', 'ann:$y$j9T$<B:22>$<B:43>:19000::', 'ann:$gy$j9T$<B:22>$<B:43>',
      'ann:$2y$05$<B:53>', '"hash": "$2b$12$<B:53>"', 'ann:$apr1$<B:8>$<B:22>', '- traefik.http.middlewares.a.basicauth.users=ann:$$2y$$05$$<B:53>', 'users=ann:$$apr1$$<B:8>$$<B:22>',
      '$argon2id$v=19$m=65536,t=3,p=4$<B:22>$<B:43>', 'pbkdf2_sha256$600000$<B:22>$<B:43>=', 'userPassword: {SSHA}<B:40>', '{SSHA512}<B:96>==',
    ]) {
      const text = drawnOf(form, 9);
      const [first = ''] = foundIn(text);
      assert.ok(/^password-hash \S{30}/.test(first) && foundIn(text).length === 1, `${text}: ${first}`);
    }
    for (const form of [
      "a.replace(/(x)(y)/, '$1$2')", '"$1$<B:8>$2"', '$6$ and $2b$10$', '$2b$10$<B:30>', '$2b$10$<B:60>', "'$2b$10$' + salt", `$2a$10$${'x'.repeat(53)}`,
      '$argon2id$v=19$m=65536,t=3,p=4$', '{SSHA}', 'SELECT $1$<B:4>', '$y$', '$6$<B:16>$<B:20>', 'pbkdf2_sha256$600000$salt$',
    ])
      assert.deepEqual(foundIn(drawnOf(form, 9)), [], form);
  }); // prettier-ignore

  it('D.redaction: and tokens: a phrase behind the beginning of one is left, also behind a dash', () => {
    const beginnings = tokenRules.flatMap(({ anchors }) => anchors).filter((one) => one.endsWith('-'));
    const phrases = ['token-name-placeholder-here', 'invalid-token-for-tests-only', 'this-is-not-a-real-key-but-a-long-name-in-tests-of-it', 'release-notes-of-version-2-part-11', 'THE-NAME-OF-SOMETHING-ELSE-HERE', 'some_name_of_a_thing_in_tests_2'];
    assert.ok(beginnings.length > 40);
    const hidden = beginnings.flatMap((begin) => phrases.map((one) => `'${begin}${one}'`)).filter((text) => foundIn(text).length > 0);
    assert.deepEqual(hidden, []);
    for (let at = 0; at < 300; at++) assert.equal(foundIn(drawnOf('glpat-<B:20>', at)).length, 1, String(at));
  }); // prettier-ignore
});
