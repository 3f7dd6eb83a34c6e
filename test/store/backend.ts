import { systemClock } from '#adapters/clock.ts';
import { SqliteStore } from '#adapters/server/sqlite/store.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';

/**
 * Opens the store at a URL, which other processes may also have open: `sqlite:/path/to/file?retention=1000`, or
 * `dynamodb://127.0.0.1:8000/table?retention=…&proofAge=…` for an emulator. Durations are in milliseconds.
 */
export async function openBackend(url: string): Promise<SequenceStore> {
  const { protocol, host, pathname, searchParams } = new URL(url);
  const retention = Number(searchParams.get('retention') ?? 3_600_000);
  if (protocol === 'sqlite:') return new SqliteStore({ path: decodeURI(pathname), clock: systemClock, retention });
  if (protocol !== 'dynamodb:') throw new TypeError(`no backend ${protocol}`);
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true';
  const { openDynamoStore } = await import('#adapters/aws/dynamodb/store.ts');
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const proofAge = Number(searchParams.get('proofAge') ?? 60_000);
  return openDynamoStore(
    { endpoint: `http://${host}`, region: 'local', credentials, table: pathname.slice(1) },
    { clock: systemClock, retention, proofAge },
  );
}
