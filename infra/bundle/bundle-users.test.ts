import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bundleUsers } from './bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-users-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Bytes of what is not the user's own. A budget is raised by who can say what for. */
const BUDGET = 1.1e6;

describe('the bundle of a file with a reconciler and a webhook', () => {
  const declared = bundleUsers(join(import.meta.dirname, '../../test/fixtures/functions/sites.ts'), folder);

  /** Invokes the named function with an event, and returns its fault. */
  const invoked = (name: string, event: object): string => {
    const code = `require(${JSON.stringify(folder)}).handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 1000 })
      .then((answer) => console.log(JSON.stringify(answer)), (error) => console.log(error.message));`;
    const env = { PATH: process.env['PATH'], DAVIT_FUNCTION: name };
    return execFileSync(process.execPath, ['-e', code], { env, encoding: 'utf8' }).trim();
  };
  const review = (title: string) => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '1',
      kind: { group: 'example.com', version: 'v1', kind: 'Site' },
      resource: { group: 'example.com', version: 'v1', resource: 'sites' },
      operation: 'CREATE',
      userInfo: {},
      object: { spec: { title } },
    },
  });

  test('tells what the file declares', () => {
    expect(declared).toMatchObject({ reconcilers: [{ name: 'sites' }], webhooks: [{ name: 'titles' }] });
  });

  test('is within its budget', () => {
    const sizes = globSync('*.js', { cwd: folder }).map((file) => statSync(join(folder, file)).size);
    expect(sizes.reduce((sum, one) => sum + one)).toBeLessThan(BUDGET);
  });

  test.each([
    ['a title', true],
    ['', false],
  ])('answers a review: %j %s', (title, allowed) => {
    expect(JSON.parse(invoked('titles', review(title)))).toMatchObject({ response: { uid: '1', allowed } });
  });

  test('reports an invalid file in one line', () => {
    expect(invoked('pages', {})).toBe('DAVIT_FUNCTION: there is no function "pages" in this file');
    expect(invoked('sites', {})).toMatch(/^DAVIT_ENDPOINT: .*AWS_REGION: [^\n]*$/);
  });
});

test('a file that cannot be loaded is not bundled', () => {
  const file = join(folder, 'broken.ts');
  writeFileSync(file, "throw new Error('no good');\n");
  expect(() => bundleUsers(file, join(folder, 'broken'))).toThrow('no good');
});
