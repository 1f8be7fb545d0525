import type { VertexLineFragment } from '../generated/others/graphql.js';
import { vertexPath } from '../paths.js';
import { Table } from './table.js';
import { Age, grouped, Id } from './text.js';

/** Vertices of the X-chain. */
export const VertexTable = ({ rows, network }: { rows: readonly VertexLineFragment[]; network: string }) => (
  <Table
    label="Vertices"
    none="No vertex is indexed here."
    rows={rows}
    keyOf={({ vertexHash }) => vertexHash}
    columns={[
      {
        title: 'Vertex',
        cell: ({ vertexHash }) => <Id id={vertexHash} href={vertexPath(network, vertexHash)} />,
      },
      { title: 'Height', isFigure: true, cell: ({ vertexHeight }) => grouped(vertexHeight) },
      { title: 'Transactions', isFigure: true, cell: ({ txCount }) => grouped(txCount) },
      { title: 'Size, bytes', isFigure: true, cell: ({ vertexSizeBytes }) => grouped(vertexSizeBytes) },
      { title: 'Time', cell: ({ vertexTimestamp }) => <Age seconds={vertexTimestamp} /> },
    ]}
  />
);
