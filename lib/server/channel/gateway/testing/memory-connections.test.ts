import { connectionsConformance } from '../connections.conformance.ts';
import { MemoryConnections } from './memory-connections.ts';

connectionsConformance(async () => new MemoryConnections());
