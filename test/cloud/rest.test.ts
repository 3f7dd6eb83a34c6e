import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { installRuntimeClient } from '#test/support/lambda/install.ts';
import { installMinistack } from '#test/support/ministack/install.ts';
import { needing } from '#test/support/skip.ts';
import { REVIEWS } from './assembly.ts';
import { channeledStack, channelSuite } from './channel.conformance.ts';
import { runDavit } from './output.ts';
import { kubectlBinary } from './stack.ts';

const runtime = await installRuntimeClient();

// Only the gateway of ministack passes on a function's streamed response, and it does so in one piece.
describe(
  'the stack with nodes behind a REST API, deployed to ministack',
  needing(await installMinistack(), runtime, kubectlBinary),
  () => {
    const program = 'path' in runtime ? runtime.path : '';
    const stack = channeledStack(program, { frontDoor: 'rest', functions: REVIEWS, stage: 'production' });
    const folder = mkdtempSync(join(tmpdir(), 'davit-rest-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test('authenticates the user, and rejects requests without an AWS token', async () => {
      const groups = ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.groups}'];
      expect(await stack.kubectl(groups)).toContain('system:masters');
      await expect(stack.kubectl([...groups, '--token', 'another'])).rejects.toThrow('must be logged in');
    });

    test('accepts bodies, and responds to queries with several values', async () => {
      const metadata = { name: 'one', labels: { a: 'b', c: 'd' } };
      const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'é & ü' } };
      await stack.kubectl(['apply', '-f', '-'], made);
      await stack.kubectl(['apply', '-f', '-'], { ...made, data: { text: 'ß = ?' } });
      expect(await stack.kubectl(['get', 'configmap', 'one', '-o', 'jsonpath={.data.text}'])).toBe('ß = ?');
      expect(await stack.kubectl(['get', 'configmaps', '-l', 'a in (b,c),c=d', '-o', 'name'])).toBe('configmap/one\n');
      expect(await stack.kubectl(['get', 'configmaps', '-l', 'a!=b', '-o', 'name'])).not.toContain('configmap/one');
      await expect(stack.kubectl(['get', 'configmap', 'two'])).rejects.toThrow('configmaps "two" not found');
    });

    test("asks users' functions to authenticate a token, to authorize its user and to review images", async () => {
      const amy = ['--token', 'of-amy'];
      expect(await stack.kubectl(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}', ...amy])).toBe('amy');
      expect(await stack.kubectl(['get', 'configmaps', '-o', 'name', ...amy])).toContain('configmap/');
      await expect(stack.kubectl(['get', 'secrets', ...amy])).rejects.toThrow('cannot list resource "secrets"');
      await stack.kubectl(['wait', '--for=create', 'serviceaccount/default', '--timeout=180s']);
      await expect(stack.kubectl(['run', 'p', '--image=bad:1'])).rejects.toThrow('a bad image');
    });

    test('ends a watch with its events', async () => {
      const path =
        '/api/v1/namespaces/default/configmaps?watch=true&fieldSelector=metadata.name%3Done&timeoutSeconds=2';
      const events = (await stack.kubectl(['get', '--raw', path])).trim().split('\n');
      expect(events.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['ADDED']);
    });

    channelSuite(stack);

    test('it is destroyed and leaves its table with all data and the key, as its output promised', async () => {
      const { endpoint, outputs } = stack.platform;
      const { TableName: table = '', AfterDestroy: promised } = outputs;
      expect(promised).toContain('the table and its key');
      expect(await stack.leftAfterDestroy('assembly')).toEqual([
        `table ${table}`,
        'key Davit: the table, and the data keys of Secrets',
      ]);
      const file = join(folder, 'left.jsonl');
      await runDavit(endpoint, ['export', file, '--table', table]);
      expect(readFileSync(file, 'utf8')).toContain('ß = ?');
    });
  },
);
