import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunningProgram, runProgram } from '#test/clients/e2e/program.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { freshCopy } from '#test/support/fresh-copy.ts';
import { credentials, region, startMinistack } from '#test/support/ministack/start.ts';
import { FUNCTIONS } from './assembly.ts';

const DEPLOY = 'npm run deploy -- -c admin=arn:aws:iam::123456789012:role/Admin';
/** The code blocks of docs/deploy.md that this test runs, verbatim and in order. */
const RUN = {
  first: `npm run cdk -- bootstrap -c admin=arn:aws:iam::123456789012:role/Admin -c bundle=false   # once for account and region\n${DEPLOY}\n`,
  options: `${DEPLOY} \\\n  -c authenticationConfig=oidc.yaml -c awsIdentityMap=aws-auth.yaml -c auditPolicyFile=audit.yaml\n`,
  functions: `${DEPLOY} -c functions=../my-functions\n`,
  destroy: 'npm run cdk -- destroy -c admin=arn:aws:iam::123456789012:role/Admin -c bundle=false\n',
} as const;
/** The reasons why other code blocks are not run here. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [
    /^aws /,
    'it begins in the account: ACM, WAF, point-in-time recovery; the emulator has no part of them that would show anything',
  ],
  [
    / -c domain=/,
    'a domain needs a certificate that ACM issued for a host name, and CloudFront; infra/constructs has their templates',
  ],
  [
    /^(?:kubectl|npm run smoke) /,
    'the endpoint has a name that only DNS in an account knows; deployed.test.ts reaches it through a front of its own',
  ],
  [/^davit /, 'davit is installed there; test/store/table-backup.test.ts runs these commands on a table'],
];
const OIDC = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://issuer.example.com, audiences: [davit] }
  claimMappings: { username: { claim: sub, prefix: "oidc:" } }
`;
const AUDIT = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n';

/** The code blocks of a language on the page, without their indentation. */
function blocks(page: string, language: string): string[] {
  const found = page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'));
  return [...found].map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

describeOn(await startMinistack((endpoint) => ({ AWS_ENDPOINT_URL: endpoint })), 'docs/deploy.md', (endpoint) => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-page-'));
  let copy = '';
  let page = '';
  beforeAll(() => {
    copy = freshCopy(folder);
    page = readFileSync(join(copy, 'docs/deploy.md'), 'utf8');
    // The emulator does not support alarms on sums of metrics. The page puts values for every deployment into cdk.json.
    const settings = JSON.parse(readFileSync(join(copy, 'cdk.json'), 'utf8')) as { context: object };
    writeFileSync(
      join(copy, 'cdk.json'),
      JSON.stringify({ ...settings, context: { ...settings.context, alarms: false } }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The environment of a user with no settings except the endpoint and credentials of an account. */
  const env = {
    HOME: folder,
    SHELL: '/bin/sh',
    KUBECONFIG: join(folder, 'kubeconfig'),
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_REGION: region,
    AWS_EC2_METADATA_DISABLED: 'true',
    CI: '',
  };

  /** Runs commands in a terminal, and confirms the only question that they ask. Resolves with the stack's outputs and the printed text. */
  async function run(commands: string) {
    const words = ['-qefc', `set -e\n${commands}`, '/dev/null'];
    await using terminal = new RunningProgram('script', words, { cwd: copy, env, input: 'y\n' });
    const { code, stdout } = await terminal.ended();
    const said = stripVTControlCharacters(stdout).replaceAll('\r', '');
    expect(code, said).toBe(0);
    const outputs = [...said.matchAll(/^Davit\.(\w+) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
    return { said, outputs: Object.fromEntries(outputs) as Readonly<Record<string, string>> };
  }

  test('has no command that is neither run here nor listed with a reason', () => {
    const others = blocks(page, 'sh').filter((block) => !Object.values<string>(RUN).includes(block));
    for (const block of others) {
      const reason = NOT_RUN.find(([pattern]) => pattern.test(block))?.[1];
      expect(reason, block).toBeDefined();
      console.log(`not run: ${block.split('\n')[0]}: ${reason}`);
    }
    expect(blocks(page, 'sh')).toEqual(expect.arrayContaining(Object.values(RUN)));
  });

  test('bootstraps and deploys, and its output Kubeconfig writes a kubeconfig', async () => {
    const { said, outputs } = await run(RUN.first);
    expect(said).toContain('bootstrapped');
    const { code, stderr } = await runProgram('sh', ['-ec', outputs['Kubeconfig'] ?? 'exit 1'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const server = 'jsonpath={.current-context} {.clusters[0].cluster.server}';
    const { stdout } = await runProgram('kubectl', ['config', 'view', '-o', server], { env });
    expect(stdout).toBe(`davit ${outputs['Endpoint']}`);
  });

  test('changes values, with the files of its examples', async () => {
    const [identities = ''] = blocks(page, 'yaml').filter((text) => text.includes('mapRoles:'));
    for (const [name, text] of Object.entries({ 'oidc.yaml': OIDC, 'aws-auth.yaml': identities, 'audit.yaml': AUDIT }))
      writeFileSync(join(copy, name), text);
    expect((await run(RUN.options)).said).toMatch(/UPDATE_COMPLETE .*AWS::Lambda::Function/);
  });

  test('deploys the functions in a folder', async () => {
    mkdirSync(join(folder, 'my-functions'));
    cpSync(FUNCTIONS, join(folder, 'my-functions'), { recursive: true });
    const { outputs } = await run(RUN.functions);
    expect(
      Object.values(outputs).filter((value) => value.startsWith('npm exec --no -- davit replay sites ')),
    ).toHaveLength(1);
  });

  test('removes the deployment', async () => {
    expect((await run(RUN.destroy)).said).toContain('Davit: destroyed');
  });
});
