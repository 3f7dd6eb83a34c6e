import { join } from 'node:path';
import { cached, download, firstMissing } from '#test/support/clients/cache.ts';

const VERSION = '2.6.1';

/** The folder with DynamoDB Local's jars, downloaded once; or the reason why it is not available here. */
export async function installDynamoDbLocal(): Promise<{ jars: string } | { missing: string }> {
  const absent = await firstMissing([['java', '-version']]);
  if (absent !== undefined) return { missing: absent };
  const installed = await cached(`dynamodb-local-${VERSION}`, async (folder) => {
    const missing = await firstMissing([['mvn', '-version']]);
    if (missing !== undefined) throw new Error(missing);
    const pom = join(import.meta.dirname, 'pom.xml');
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`, '-DincludeScope=runtime'];
    await download('mvn', ['-q', '-B', '-f', pom, ...goal]);
  });
  return 'missing' in installed ? installed : { jars: installed.path };
}
