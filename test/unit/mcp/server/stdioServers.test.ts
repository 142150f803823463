// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { referenceServers } from '../../../support/mcp/referenceCalls';
import { scripted, served, until } from '../../../support/mcp/harness';
import { text } from '../../../support/mcp/clientAnswers';

describe('serve on stdio hands on what MCP servers offer', () => {
  for (const era of ['legacy', 'modern'] as const) {
    it(`puts MCP servers behind the gate, with pictures, progress and their questions (${era})`, async () => {
      const tools = ['echo', 'picture', 'ask', 'progress'].map((name) => ({
        name,
        description: name,
        inputSchema: { type: 'object' },
      }));
      const s = await served({
        era,
        args: ['--yes'],
        servers: { s: scripted({ tools }) },
        answer: () => ({ action: 'accept', content: { name: 'Ada' } }),
      });
      try {
        const names = (await s.client.listTools()).tools.map((tool) => tool.name);
        assert.ok(names.includes('s_echo'), names.join());
        assert.equal(text(await s.call('s_echo', { text: 'hi' })), 'hi');
        assert.deepEqual((await s.call('s_picture')).content[1], {
          type: 'image',
          data: 'iVBORw0KGgo=',
          mimeType: 'image/png',
        });
        assert.match(text(await s.call('s_ask')), /Ada/);
        assert.deepEqual(s.questions, ['The MCP server "s" asks: your name?']);
        const heard: number[] = [];
        await s.client.callTool(
          { name: 's_progress', arguments: {} },
          { onprogress: (one) => heard.push(one.progress) },
        );
        await until(() => heard.length > 0);
      } finally {
        await s.close();
      }
    });
  }

  for (const era of ['legacy', 'modern'] as const)
    it(`hands cancellation, structured content, resources and a server's wish for a model through (${era})`, async () => {
      const output = { type: 'object', properties: { v: { type: 'number' } }, required: ['v'] };
      const tools = ['hang', 'structured', 'sample', 'echo', 'askTwice'].map((name) => ({
        name,
        description: name,
        inputSchema: { type: 'object' },
        ...(name === 'structured' ? { outputSchema: output } : {}),
      }));
      const s = await served({
        era,
        args: ['--yes'],
        servers: { s: scripted({ tools, resources: true }) },
        capabilities: { elicitation: {}, sampling: {} },
        answer: (message) => ({ action: 'accept', content: { name: message.includes('first') ? 'Ada' : 'Grace' } }),
        sample: 'a completion',
      });
      try {
        await s.client.listTools();
        const structured = await s.call('s_structured');
        assert.deepEqual(structured.structuredContent, { v: 1 });
        assert.match(text(await s.call('s_list_resources')), /note:\/\/one/);
        assert.equal(text(await s.call('s_read_resource', { uri: 'note://one' })), 'the content of note://one');
        assert.match(text(await s.call('s_sample')), /a completion/);
        // Two questions of one call at once reach the client both, and each answer finds its question.
        assert.equal(text(await s.call('s_askTwice')), 'Ada Grace');
        const stop = new AbortController();
        const hanging = s.client.callTool({ name: 's_hang', arguments: {} }, { signal: stop.signal });
        setTimeout(() => stop.abort('enough'), 50);
        await assert.rejects(hanging);
        assert.equal(text(await s.call('s_echo', { text: 'on' })), 'on');
      } finally {
        await s.close();
      }
    });

  for (const era of ['legacy', 'modern'] as const)
    it(`hands embedded resources, links, sounds and other bytes on as what they are, guarded like any text (${era})`, async () => {
      const tools = [{ name: 'embedded', inputSchema: { type: 'object' } }];
      const s = await served({ era, args: ['--yes'], servers: { s: scripted({ tools, resources: true, pdf: true }) } });
      try {
        await s.client.listTools();
        assert.deepEqual((await s.call('s_embedded')).content, [
          { type: 'text', text: 'see:' },
          // Invisible characters of a foreign text are shown, in an embedded one too.
          {
            type: 'resource',
            resource: { uri: 'note://⟨U+200B⟩one', mimeType: 'text/markdown', text: '# One⟨U+202E⟩' },
          },
          { type: 'audio', mimeType: 'audio/wav', data: 'UklG' },
          { type: 'resource', resource: { uri: 'note://two', mimeType: 'application/pdf', blob: 'JVBERg==' } },
          { type: 'resource_link', uri: 'note://three', name: 'three', mimeType: 'text/plain' },
          { type: 'text', text: '[warning: 1 invisible or control character made visible]' },
        ]);
        const read = await s.client.readResource({ uri: 'note://two.pdf' });
        assert.deepEqual(read.contents, [{ uri: 'note://two.pdf', mimeType: 'application/pdf', blob: 'JVBERg==' }]);
      } finally {
        await s.close();
      }
    });

  for (const era of ['legacy', 'modern'] as const)
    it(`offers the resources and prompts of governed servers as such, each through the gate (${era})`, async () => {
      const broken = scripted({
        tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
        resources: true,
        prompts: 'broken',
      });
      const s = await served({ era, args: ['--yes'], servers: { everything: referenceServers.everything, broken } });
      try {
        const tools = (await s.client.listTools()).tools.map((tool) => tool.name);
        assert.ok(
          tools.includes('everything_list_resources') && !tools.includes('everything_list_prompts'),
          'prompts are for people',
        );
        const { prompts } = await s.client.listPrompts();
        const names = prompts.map((prompt) => prompt.name);
        assert.ok(names.includes('simple-prompt') && names.includes('args-prompt'), names.join());
        const args = prompts.find((prompt) => prompt.name === 'args-prompt')?.arguments;
        assert.deepEqual(
          args?.map(({ name, required }) => [name, required]),
          [
            ['city', true],
            ['state', false],
          ],
        );
        const filled = await s.client.getPrompt({ name: 'args-prompt', arguments: { city: 'Paris' } });
        assert.match(JSON.stringify(filled.messages), /Paris/);
        const embedded = await s.client.getPrompt({
          name: 'resource-prompt',
          arguments: { resourceType: 'Text', resourceId: '1' },
        });
        assert.ok(embedded.messages.some(({ content }) => content.type === 'resource'));
        const suggested = await s.client.complete({
          ref: { type: 'ref/prompt', name: 'completable-prompt' },
          argument: { name: 'department', value: 'E' },
        });
        assert.deepEqual(suggested.completion.values, ['Engineering']);
        const { resources } = await s.client.listResources();
        assert.ok(
          resources.some(({ uri }) => uri === 'note://one'),
          'of both servers',
        );
        const read = await s.client.readResource({ uri: 'note://one' });
        assert.deepEqual(read.contents, [{ uri: 'note://one', text: 'the content of note://one' }]);
        const { resourceTemplates } = await s.client.listResourceTemplates();
        const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate.includes('text'))?.uriTemplate ?? '';
        const dynamic: any = await s.client.readResource({ uri: template.replace(/\{[^}]*\}/, '7') });
        assert.match(dynamic.contents[0].text, /7/);
        // Nothing is asked of a server that did not list it.
        await assert.rejects(s.client.readResource({ uri: 'note://two/../../etc' }), /not found/i);
        await assert.rejects(s.client.readResource({ uri: 'file:///etc/passwd' }), /not found/i);
        await assert.rejects(s.client.getPrompt({ name: 'no-such-prompt' }), /no prompt is called/);
        await assert.rejects(s.client.getPrompt({ name: 'args-prompt' }), /city/);
      } finally {
        await s.close();
      }
    });

  it('gives a server that wants a model a plain no where the client lends none', async () => {
    const tools = [{ name: 'sample', description: 'sample', inputSchema: { type: 'object' } }];
    const s = await served({ args: ['--yes'], servers: { s: scripted({ tools }) } });
    try {
      await s.client.listTools();
      assert.match(text(await s.call('s_sample')), /declined/);
    } finally {
      await s.close();
    }
  });
});
