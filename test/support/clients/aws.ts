import { chmodSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { installLocalStack } from '#test/support/localstack/install.ts';
import { cached, type Fetched } from './cache.ts';

/** The program `aws`. The AWS CLI is a dependency of LocalStack. */
export async function installAws(): Promise<Fetched> {
  const files = await installLocalStack();
  if ('missing' in files) return files;
  const installed = await cached(`aws-of-${basename(dirname(dirname(files.python)))}`, async (folder) => {
    const aws = join(folder, 'aws');
    writeFileSync(aws, `#!/bin/sh\nexec '${files.python}' -m awscli "$@"\n`);
    chmodSync(aws, 0o755);
  });
  return 'missing' in installed ? installed : { path: join(installed.path, 'aws') };
}
