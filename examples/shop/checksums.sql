-- A checksum of each table. Keys and instants that the server made differ from one execution of a load to the next, so
-- what refers to a row does so by what the application calls it: a customer by the address, an order by the reference.
-- Which job was made first, and so which order is shipped first, is the order of the transactions.
SELECT string_agg(name || ' ' || rows || ' ' || checksum, E'\n' ORDER BY name) FROM (
    SELECT 'customers' AS name, count(*) AS rows, md5(string_agg(email || name || city || points, ',' ORDER BY email)) AS checksum FROM customers
    UNION ALL SELECT 'products', count(*), md5(string_agg(p::text, ',' ORDER BY id)) FROM products p
    UNION ALL SELECT 'stock', count(*), md5(string_agg(s::text, ',' ORDER BY product_id)) FROM stock s
    UNION ALL SELECT 'orders', count(*), md5(string_agg(concat_ws('|', reference, email, state, total, paid IS NULL, note), ',' ORDER BY reference))
        FROM orders o JOIN customers c ON c.id = o.customer_id
    UNION ALL SELECT 'lines', count(*), md5(string_agg(concat_ws('|', reference, product_id, quantity, price), ',' ORDER BY reference, product_id))
        FROM lines l JOIN orders o ON o.id = l.order_id
    UNION ALL SELECT 'payments', count(*), md5(string_agg(concat_ws('|', reference, amount, method), ',' ORDER BY reference, amount, method))
        FROM payments p JOIN orders o ON o.id = p.order_id
    UNION ALL SELECT 'jobs', count(*), md5(string_agg(concat_ws('|', kind, reference, taken IS NULL, done), ',' ORDER BY reference, kind))
        FROM jobs j JOIN orders o ON o.id = j.order_id
    UNION ALL SELECT 'reviews', count(*), md5(string_agg(concat_ws('|', product_id, email, stars, details), ',' ORDER BY product_id, email, details::text))
        FROM reviews r JOIN customers c ON c.id = r.customer_id
    UNION ALL SELECT 'order_log', count(*), md5(string_agg(concat_ws('|', reference, l.state), ',' ORDER BY reference, l.state))
        FROM order_log l JOIN orders o ON o.id = l.order_id
) sums;
