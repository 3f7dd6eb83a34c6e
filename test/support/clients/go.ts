import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, download, type Fetched, programOnPath, run } from './cache.ts';

/** A toolchain from the Go module proxy, and the SHA-256 of its archive. */
const TOOLCHAIN = 'v0.0.1-go1.26.8.linux-amd64';
const SHA256 = '30c2b1bf7dcc88d3eb0a1364e47ddd9128edb3110a30e8a0ef61cd5856b31de7';

/** The `go` command: the machine's own, or a downloaded toolchain, because Debian's package is too old. */
export async function installGo(): Promise<Fetched> {
  const own = await programOnPath('go', 'version');
  if ('path' in own || process.platform !== 'linux' || process.arch !== 'x64') return own;
  const installed = await cached(`go-toolchain-${TOOLCHAIN}`, async (folder) => {
    const archive = join(folder, 'go.zip');
    const [proxy = ''] = (process.env['GOPROXY'] ?? 'https://proxy.golang.org').split(/[,|]/);
    await download('curl', ['-fsSL', '-o', archive, `${proxy}/golang.org/toolchain/@v/${TOOLCHAIN}.zip`]);
    const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
    if (sum !== SHA256) throw new Error(`the archive of Go has the checksum ${sum}`);
    await run('unzip', ['-q', archive, '-d', folder]);
    await run('chmod', ['-R', '+x', join(rootIn(folder), 'bin'), join(rootIn(folder), 'pkg/tool')]);
    await run('rm', [archive]);
  });
  return 'missing' in installed ? installed : { path: join(rootIn(installed.path), 'bin/go') };
}

const rootIn = (folder: string): string => join(folder, `golang.org/toolchain@${TOOLCHAIN}`);
