"""The load of a shop: customers at its front (psycopg), its office (SQLAlchemy), and reports (psycopg).

    python shop.py CONNINFO [--orders N] [--think MILLISECONDS] [--seed N]

Each kind has sessions of its own that work at the same time. The same seed makes the same orders; which session is
first is left to chance, as in a shop.
"""

import argparse
import json
import queue
import random
import threading
import time
import uuid
from decimal import Decimal

import psycopg
from sqlalchemy import BigInteger, ForeignKey, Integer, Numeric, String, create_engine, func, select, text, update
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

FRONT_SESSIONS = 3
OFFICE_SESSIONS = 2


class Base(DeclarativeBase):
    pass


class Customer(Base):
    __tablename__ = "customers"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    email: Mapped[str] = mapped_column(String)
    name: Mapped[str] = mapped_column(String)
    points: Mapped[int] = mapped_column(Integer)


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    reference: Mapped[uuid.UUID]
    customer_id: Mapped[int] = mapped_column(ForeignKey("customers.id"))
    total: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    note: Mapped[str | None] = mapped_column(String)
    customer: Mapped[Customer] = relationship()


class Review(Base):
    __tablename__ = "reviews"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    product_id: Mapped[int] = mapped_column(Integer)
    customer_id: Mapped[int] = mapped_column(BigInteger)
    stars: Mapped[int] = mapped_column(Integer)
    details: Mapped[str] = mapped_column(String)


class Shop:
    def __init__(self, options):
        self.conninfo = options.conninfo
        self.orders = options.orders
        self.think_s = options.think / 1000
        self.seed = options.seed
        # Orders that were paid, for the office, and customers that have registered.
        self.paid = queue.Queue()
        self.problems = []

    def think(self, draw):
        time.sleep(draw.expovariate(1) * self.think_s if self.think_s else 0)

    def guarded(self, work, *arguments):
        try:
            work(*arguments)
        except BaseException as problem:  # The main thread reports it.
            self.problems.append(f"{work.__name__}: {problem!r}")

    # Customers at the front: each visit looks around, some order, and most of these pay.
    def front(self, number):
        draw = random.Random(f"{self.seed} front {number}")
        with psycopg.connect(self.conninfo, autocommit=True, application_name="front") as connection:
            connection.execute("SET statement_timeout = '30s'")
            for visit in range(self.orders):
                customer = self.arrive(connection, draw, number, visit)
                self.browse(connection, draw)
                self.think(draw)
                order, reference = self.place_order(connection, draw, customer)
                self.think(draw)
                if draw.random() < 0.8:
                    self.pay(connection, draw, order, customer)
                    self.paid.put(reference)
                elif draw.random() < 0.5:
                    self.cancel(connection, order)
                self.look_back(connection, draw, order, customer, reference)

    def arrive(self, connection, draw, number, visit):
        if draw.random() < 0.3:
            email = f"new{number}-{visit}@example.com"
            city = draw.choice(["Oslo", "Rome", "Lima"])
            row = connection.execute("SELECT register_customer(%s, %s, %s)", (email, f"New {number} {visit}", city))
            customer = row.fetchone()[0]
            connection.execute("SELECT name, points FROM customers WHERE id = %s", (customer,)).fetchone()
            return customer
        email = f"customer{draw.randint(1, 500)}@example.com"
        return connection.execute("SELECT id FROM customers WHERE email = %s", (email,)).fetchone()[0]

    def browse(self, connection, draw):
        category = draw.choice(["living", "kitchen", "garden"])
        connection.execute(
            "SELECT id, name, price FROM products WHERE category = %s ORDER BY price, id LIMIT 20", (category,)
        ).fetchall()
        word = draw.choice(["chair", "table", "lamp", "shelf", "bed"])
        connection.execute(
            "SELECT id, name FROM products WHERE words @@ plainto_tsquery('simple', %s) ORDER BY id LIMIT 10", (word,)
        ).fetchall()
        products = [draw.randint(1, 300) for _ in range(3)]
        connection.execute("SELECT sku, name, price FROM products WHERE id = ANY(%s) ORDER BY id", (products,)).fetchall()
        connection.execute("SELECT quantity - reserved FROM stock WHERE product_id = %s", (products[0],)).fetchone()
        connection.execute("SELECT avg(stars), count(*) FROM reviews WHERE product_id = %s", (products[1],)).fetchone()
        if draw.random() < 0.2:
            connection.execute("SELECT DISTINCT category FROM products ORDER BY category").fetchall()

    def place_order(self, connection, draw, customer):
        reference = uuid.UUID(int=draw.getrandbits(128), version=4)
        # Sorted, so that no two orders wait for each other.
        products = sorted(draw.sample(range(1, 301), draw.choice([1, 1, 2, 3])))
        with connection.transaction():
            row = connection.execute(
                "INSERT INTO orders (reference, customer_id, note) VALUES (%s, %s, %s) RETURNING *",
                (reference, customer, draw.choice([None, "ring twice", "it's a gift"])),
            ).fetchone()
            order = row[0]
            for product in products:
                price = connection.execute("SELECT price FROM products WHERE id = %s", (product,)).fetchone()[0]
                quantity = draw.randint(1, 3)
                connection.execute(
                    "INSERT INTO lines (order_id, product_id, quantity, price) VALUES (%s, %s, %s, %s)",
                    (order, product, quantity, price),
                )
                connection.execute(
                    "UPDATE stock SET reserved = reserved + %s WHERE product_id = %s", (quantity, product)
                )
            connection.execute("SELECT total FROM orders WHERE id = %s", (order,)).fetchone()
        return order, reference

    def pay(self, connection, draw, order, customer):
        with connection.transaction():
            total = connection.execute("SELECT total FROM orders WHERE id = %s FOR UPDATE", (order,)).fetchone()[0]
            payment = connection.execute(
                "INSERT INTO payments (order_id, amount, method) VALUES (%s, %s, %s) RETURNING id",
                (order, total, draw.choice(["card", "transfer"])),
            ).fetchone()[0]
            connection.execute("UPDATE orders SET state = 'paid', paid = now() WHERE id = %s", (order,))
            connection.execute("SELECT amount FROM payments WHERE id = %s", (payment,)).fetchone()
            connection.execute("UPDATE customers SET points = points + loyalty(%s) WHERE id = %s", (total, customer))

    def cancel(self, connection, order):
        with connection.transaction():
            connection.execute("UPDATE orders SET state = 'cancelled' WHERE id = %s", (order,))
            connection.execute(
                "UPDATE stock s SET reserved = reserved - l.quantity FROM lines l"
                " WHERE l.order_id = %s AND s.product_id = l.product_id",
                (order,),
            )

    def look_back(self, connection, draw, order, customer, reference):
        connection.execute("SELECT state, total FROM orders WHERE id = %s", (order,)).fetchone()
        connection.execute("SELECT id FROM orders WHERE reference = %s", (reference,)).fetchone()
        connection.execute(
            "SELECT p.name, l.quantity, l.price FROM lines l JOIN products p ON p.id = l.product_id"
            " WHERE l.order_id = %s ORDER BY p.id",
            (order,),
        ).fetchall()
        connection.execute(
            "SELECT reference, state FROM orders WHERE customer_id = %s ORDER BY id DESC LIMIT 5", (customer,)
        ).fetchall()
        connection.execute("SELECT state FROM order_log WHERE order_id = %s", (order,)).fetchall()
        if draw.random() < 0.3:
            details = json.dumps({"text": draw.choice(["good", "it's fine", "broken"]), "helpful": draw.randint(0, 9)})
            connection.execute(
                "INSERT INTO reviews (product_id, customer_id, stars, details) VALUES (%s, %s, %s, %s) RETURNING id",
                (draw.randint(1, 300), customer, draw.randint(1, 5), details),
            ).fetchone()
            connection.execute(
                "SELECT details ->> 'text' FROM reviews WHERE customer_id = %s ORDER BY id", (customer,)
            ).fetchall()

    # The office ships what is paid, by the queue, and writes to customers.
    def office(self, number):
        draw = random.Random(f"{self.seed} office {number}")
        url = "postgresql+psycopg://"
        engine = create_engine(url, creator=lambda: psycopg.connect(self.conninfo, application_name="office"))
        with engine.connect() as connection, Session(bind=connection) as session:
            while True:
                reference = self.paid.get()
                if reference is None:
                    break
                self.ship(session)
                self.write_note(session, draw, reference)
                self.think(draw)
        engine.dispose()

    def ship(self, session):
        job = session.execute(
            text(
                "UPDATE jobs SET taken = now() WHERE id = (SELECT id FROM jobs WHERE taken IS NULL"
                " ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING id, order_id"
            )
        ).first()
        if job is None:
            session.rollback()
            return
        session.execute(text("SELECT product_id, quantity FROM lines WHERE order_id = :order ORDER BY 1"), {"order": job.order_id}).all()
        session.execute(
            text(
                "UPDATE stock s SET quantity = s.quantity - l.quantity, reserved = s.reserved - l.quantity FROM lines l"
                " WHERE l.order_id = :order AND s.product_id = l.product_id"
            ),
            {"order": job.order_id},
        )
        session.execute(text("UPDATE orders SET state = 'shipped' WHERE id = :order"), {"order": job.order_id})
        session.execute(text("UPDATE jobs SET done = true WHERE id = :job"), {"job": job.id})
        session.commit()

    def write_note(self, session, draw, reference):
        order = session.execute(select(Order).where(Order.reference == reference)).scalar_one()
        if draw.random() < 0.3:
            order.note = draw.choice(["thanked", "asked to return"])
        if draw.random() < 0.2:
            session.execute(update(Customer).where(Customer.id == order.customer_id).values(points=Customer.points + 1))
        if order.customer.points > 100:
            session.execute(select(func.count()).select_from(Order).where(Order.customer_id == order.customer_id)).scalar()
        session.commit()
        if draw.random() < 0.1:
            review = Review(product_id=draw.randint(1, 300), customer_id=order.customer_id, stars=3, details='{"by": "office"}')
            session.execute(
                text(
                    "INSERT INTO reviews (product_id, customer_id, stars, details)"
                    " VALUES (:product, :customer, :stars, CAST(:details AS jsonb))"
                ),
                {
                    "product": review.product_id,
                    "customer": review.customer_id,
                    "stars": review.stars,
                    "details": review.details,
                },
            )
        session.commit()

    # Reports read all of it.
    def reports(self, stop):
        draw = random.Random(f"{self.seed} reports")
        statements = [
            "SELECT * FROM sales ORDER BY category",
            "SELECT state, count(*), sum(total) FROM orders GROUP BY state ORDER BY state",
            "SELECT city, count(*), sum(points) FROM customers GROUP BY city ORDER BY city",
            "SELECT date_trunc('hour', ordered), count(*) FROM orders GROUP BY 1 ORDER BY 1",
            "SELECT count(*) FROM open_orders WHERE lines > 1",
            "SELECT p.category, avg(r.stars) FROM reviews r JOIN products p ON p.id = r.product_id GROUP BY 1 ORDER BY 1",
            "SELECT kind, count(*) FILTER (WHERE NOT done) FROM jobs GROUP BY kind",
            "WITH best AS (SELECT product_id, sum(quantity) AS n FROM lines GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10)"
            " SELECT p.sku, n FROM best JOIN products p ON p.id = best.product_id ORDER BY n DESC, p.id",
        ]
        with psycopg.connect(self.conninfo, autocommit=True, application_name="reports") as connection:
            while True:
                is_last = stop.is_set()
                connection.execute(draw.choice(statements)).fetchall()
                with connection.transaction():
                    connection.execute("SET TRANSACTION READ ONLY")
                    connection.execute("SELECT count(*) FROM stock WHERE quantity - reserved < %s", (draw.randint(1, 9),))
                    cursor = connection.execute(
                        "SELECT o.reference, c.email FROM orders o JOIN customers c ON c.id = o.customer_id"
                        " WHERE o.total > %s ORDER BY o.total DESC, o.reference LIMIT 50",
                        (draw.randint(100, 900),),
                    )
                    cursor.fetchall()
                self.think(draw)
                time.sleep(0.02)
                if is_last:
                    break

    def run(self):
        stop = threading.Event()
        front = [threading.Thread(target=self.guarded, args=(self.front, n)) for n in range(FRONT_SESSIONS)]
        office = [threading.Thread(target=self.guarded, args=(self.office, n)) for n in range(OFFICE_SESSIONS)]
        reports = threading.Thread(target=self.guarded, args=(self.reports, stop))
        for thread in [*front, *office, reports]:
            thread.start()
        for thread in front:
            thread.join()
        for _ in office:
            self.paid.put(None)
        for thread in office:
            thread.join()
        stop.set()
        reports.join()
        if self.problems:
            raise SystemExit("\n".join(self.problems))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("conninfo")
    parser.add_argument("--orders", type=int, default=40, help="orders of each session at the front")
    parser.add_argument("--think", type=float, default=2, help="mean pause of a client, in milliseconds")
    parser.add_argument("--seed", type=int, default=1)
    Shop(parser.parse_args()).run()


if __name__ == "__main__":
    main()
