import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { TABLE } from '#adapters/aws/dynamodb/table.ts';
import type { InterestKeeper } from '#lib/server/channel/interests.ts';
import type { Asked, ConnectedNode, ConnectedNodes } from '#lib/stream/notifications.ts';

const { partitionKey, sortKey } = TABLE;
const PARTITION = { S: 'channel/main' };

/** Records of connected nodes, one item per node. One query reads all of them, and one put stores the interests of a node. */
export class ConnectionTable implements ConnectedNodes, InterestKeeper {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async keep(node: string, interests: string): Promise<void> {
    const connection = { S: `${node}=`.padEnd(16, 'x') }; // like API Gateway's
    const Item = { [partitionKey]: PARTITION, [sortKey]: { S: node }, connection, interests: { S: interests } };
    await this.#table.put({ Item });
  }

  async interested({ nodes, all }: Asked): Promise<readonly ConnectedNode[]> {
    const [first = '', last = first] = all ? ['', '~'] : [nodes.toSorted()[0], nodes.toSorted().at(-1)];
    const { Items: items = [] } = await this.#table.query({
      KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :first AND :last',
      ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
      ExpressionAttributeValues: { ':pk': PARTITION, ':first': { S: first }, ':last': { S: last } },
      ConsistentRead: false,
    });
    return items.map((item) => ({
      node: item[sortKey]?.S ?? '',
      connections: [item['connection']?.S ?? ''],
      interests: item['interests']?.S ?? '',
    }));
  }
}
