// Fetches every client and emulator that the tests can use, so that a test run does not wait for it: `node test/clients/fetch.ts`.
import { installDynamoDbLocal } from '#test/dynamodb-local/install.ts';
import { installRuntimeClient } from '#test/lambda/install.ts';
import { installLocalStack } from '#test/localstack/install.ts';
import { installMinistack } from '#test/ministack/install.ts';
import { buildGoInformer, buildGoOperator, buildGoWebhook } from './go-operator.ts';
import { buildJavaOperator } from './java-operator.ts';
import { installKubectls } from './kubectl.ts';
import { installOpenApiGenerator } from './openapi-generator.ts';
import { podSecurityFixtures } from './pod-security-fixtures.ts';
import { installKopf, installPython } from './python.ts';
import { installFastApi } from './webhooks.ts';

const report = (title: string, outcome: string): void => console.log(`${title}: ${outcome}`);

const python = await installPython();
report('python', 'missing' in python ? python.missing : python.path);
const { binaries, missing } = await installKubectls();
for (const { title, path } of binaries) report(`kubectl ${title}`, path);
for (const reason of missing) report('missing', reason);
const operator = await buildGoOperator();
report('operator', 'missing' in operator ? operator.missing : operator.path);
const kopf = await installKopf();
report('kopf', 'missing' in kopf ? kopf.missing : kopf.path);
const java = await buildJavaOperator();
report('operator in Java', 'missing' in java ? java.missing : java.args.join(' '));
const informer = await buildGoInformer();
report('informer', 'missing' in informer ? informer.missing : informer.path);
const runtime = await installRuntimeClient();
report("Lambda's runtime", 'missing' in runtime ? runtime.missing : runtime.path);
const database = await installDynamoDbLocal();
report('DynamoDB Local', 'missing' in database ? database.missing : database.jars);
const ministack = await installMinistack();
report('ministack', 'missing' in ministack ? ministack.missing : ministack.path);
const localStack = await installLocalStack();
report('LocalStack', 'missing' in localStack ? localStack.missing : localStack.python);
for (const [title, webhook] of [
  ['go', await buildGoWebhook()],
  ['python', await installFastApi()],
] as const)
  report(`webhook in ${title}`, 'missing' in webhook ? webhook.missing : webhook.path);
const fixtures = await podSecurityFixtures();
report('Pod Security fixtures', 'missing' in fixtures ? fixtures.missing : fixtures.path);
const generator = await installOpenApiGenerator();
report('OpenAPI Generator', 'missing' in generator ? generator.missing : generator.python);
