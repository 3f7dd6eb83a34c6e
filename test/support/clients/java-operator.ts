import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, download, firstMissing, run } from './cache.ts';

const SOURCE = join(import.meta.dirname, 'java-operator');

/** The command that runs the operator in `java-operator/`, built once for each state of its source, or the reason why it cannot run. */
export type JavaOperator =
  | { readonly program: string; readonly args: readonly string[] }
  | { readonly missing: string };

export async function buildJavaOperator(): Promise<JavaOperator> {
  const hash = createHash('sha256');
  for (const file of ['pom.xml', 'Operator.java']) hash.update(readFileSync(join(SOURCE, file)));
  const built = await cached(`java-operator-${hash.digest('hex').slice(0, 12)}`, async (folder) => {
    const absent = await firstMissing([
      ['mvn', '-version'],
      ['javac', '-version'],
    ]);
    if (absent !== undefined) throw new Error(absent);
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'lib')}`, '-DincludeScope=runtime'];
    await download('mvn', ['-q', '-B', '-f', join(SOURCE, 'pom.xml'), ...goal]);
    await run('javac', ['-cp', `${folder}/lib/*`, '-d', folder, join(SOURCE, 'Operator.java')]);
  });
  if ('missing' in built) return built;
  return {
    program: 'java',
    args: ['-Xmx256m', '-XX:+UseSerialGC', '-cp', `${built.path}:${built.path}/lib/*`, 'Operator'],
  };
}
